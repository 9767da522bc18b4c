// @ts-check
/** Serves tus as published, with its file store, on a free port of the loopback; says which. */

import { FileStore } from "@tus/file-store";
import { Server } from "@tus/server";

const datastore = new FileStore({ directory: process.argv[2] });
const server = new Server({ path: "/files", datastore });
const listening = server.listen({ host: "127.0.0.1", port: 0 }, () => {
  console.log(listening.address().port);
});
