/**
 * Tools over standard input and output: operations of the table, for a run those open to it, for the client of a person
 * those of the team.
 * @packageDocumentation
 */
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { Offer } from './offers.js';
import { inputOf, type Tool, toolOf } from './tools.js';

export interface ToolServerOptions {
  readonly version: string;
  readonly offer: Offer;
  call(spec: OperationSpec, input: unknown): Promise<unknown>;
}

/** Serves tools over standard input and output until the client closes them. */
export async function serveTools({ version, offer, call }: ToolServerOptions): Promise<void> {
  const { Server, serveStdio } = await import('#surfaces/mcp/protocol.js');
  const tools = Promise.all(offer.specs.map((spec) => toolOf(spec, offer)));
  const answer = async (name: string, said: unknown) => {
    const tool = (await tools).find((candidate) => candidate.name === name);
    if (!tool) throw new TroupeError('not_found', { what: `There is no tool ${JSON.stringify(name.slice(0, 60))}.` });
    return written(await call(tool.spec, inputOf(tool.spec, said, offer)));
  };
  await new Promise<void>((resolve) => {
    const transportClosed = () => resolve();
    serveStdio(
      () => {
        const server = new Server(
          { name: 'troupe', version },
          { capabilities: { tools: {} }, instructions: offer.instructions },
        );
        server.setRequestHandler('tools/list', async () => ({ tools: (await tools).map(listed) }));
        server.setRequestHandler('tools/call', async ({ params }) => {
          try {
            return { content: [{ type: 'text' as const, text: await answer(params.name, params.arguments) }] };
          } catch (error) {
            const { code, message, hint, details } = asTroupeError(error);
            const text = inert(JSON.stringify({ error: { code, message, hint, details } }), true);
            return { content: [{ type: 'text' as const, text }], isError: true };
          }
        });
        return server;
      },
      { onerror: () => undefined },
    );
    process.stdin.once('end', transportClosed);
    process.stdin.once('close', transportClosed);
  });
}

/** A tool as clients are sent it. */
export function listed({ name, description, inputSchema, annotations }: Tool) {
  return { name, description, inputSchema, annotations };
}

/** Titles and logs were written by others: what is hidden in them is made visible. */
function written(value: unknown): string {
  const text = inert(JSON.stringify(value), true);
  if (Buffer.byteLength(text) <= LIMITS.toolAnswerBytes) return text;
  throw new TroupeError('too_large', {
    what: `The answer has more than ${LIMITS.toolAnswerBytes} bytes.`,
    hint: 'Ask for less: for one task, or for those of one status.',
  });
}
