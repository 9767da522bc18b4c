// Lists names that a module uses and nothing declares: "node --check" looks at the grammar alone.
// Read with the parser that Node itself carries: node --expose-internals undeclared.cjs FILE ...
const { readFileSync } = require("node:fs");
const acorn = require("internal/deps/acorn/acorn/dist/acorn");

const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];
const SCOPES = ["Program", "BlockStatement", "StaticBlock", "SwitchStatement", "ForStatement", "ForOfStatement", "ForInStatement"];
/** Members that hold names of something else than a variable, as long as they are not computed. */
const KEYS = { MemberExpression: "property", Property: "key", MethodDefinition: "key", PropertyDefinition: "key" };

/** Return the nodes right below one. */
function below(node) {
  return Object.values(node).flat().filter((one) => typeof one?.type === "string");
}

/** Return the names that a pattern binds. */
function bound(pattern) {
  if (!pattern) return [];
  if (pattern.type === "Identifier") return [pattern.name];
  if (pattern.type === "AssignmentPattern") return bound(pattern.left);
  if (pattern.type === "Property") return bound(pattern.value);
  return [...(pattern.elements ?? pattern.properties ?? [pattern.argument])].flatMap(bound);
}

/** Return the names that a statement adds to the block in which it stands. */
function declared(node) {
  if (node.type.startsWith("Export")) return node.declaration ? declared(node.declaration) : [];
  if (node.type === "ImportDeclaration") return node.specifiers.map((one) => one.local.name);
  if (node.type === "VariableDeclaration") return node.declarations.flatMap((one) => bound(one.id));
  return /^(Function|Class)Declaration$/.test(node.type) ? bound(node.id) : [];
}

/** Return the names that a node adds for what is below it. */
function opened(node) {
  if (FUNCTIONS.includes(node.type)) return [...bound(node.id), ...node.params.flatMap(bound), "arguments"];
  if (node.type === "CatchClause") return bound(node.param);
  if (node.type === "ClassExpression") return bound(node.id);
  if (!SCOPES.includes(node.type)) return [];
  const statements = node.type === "SwitchStatement" ? node.cases.flatMap((one) => one.consequent) : below(node);
  return statements.flatMap(declared);
}

/** Return what below a node can hold names of variables. */
function used(node) {
  if (/^(Import|ExportAll)Declaration$/.test(node.type) || node.type === "MetaProperty" || node.label) return node.body ? [node.body] : [];
  if (node.type === "ExportNamedDeclaration" && node.source) return [];
  if (node.type === "ExportSpecifier") return [node.local];
  return below(node).filter((one) => node.computed || one !== node[KEYS[node.type]]);
}

function* undeclared(node, known) {
  const names = opened(node);
  const all = names.length ? new Set([...known, ...names]) : known;
  if (node.type === "Identifier" && !all.has(node.name)) yield `${node.loc.start.line}: ${node.name}`;
  for (const one of used(node)) yield* undeclared(one, all);
}

const globals = new Set(process.argv[2].split(","));
for (const path of process.argv.slice(3)) {
  const tree = acorn.parse(readFileSync(path, "utf-8"), { ecmaVersion: "latest", sourceType: "module", locations: true });
  for (const found of undeclared(tree, globals)) console.log(`${path}:${found}`);
}
