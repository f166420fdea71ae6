// The SDK of the protocol, bundled as a separate file: it includes a full zod, most of which no other command needs.
export { Server } from '@modelcontextprotocol/server';
export { serveStdio } from '@modelcontextprotocol/server/stdio';
