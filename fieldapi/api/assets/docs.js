// Starts Swagger UI over our own document. A token typed in stays in memory only.
"use strict";

window.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
