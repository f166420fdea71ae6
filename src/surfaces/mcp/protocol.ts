// What speaks the protocol, built as a file of its own: it brings a whole zod along, of which all other commands use little.
export { Server } from '@modelcontextprotocol/server';
export { serveStdio } from '@modelcontextprotocol/server/stdio';
