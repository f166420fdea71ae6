/**
 * MCP server over standard input and output: the operations open to a run, and the tools of a team for the client of a
 * person.
 * @packageDocumentation
 */

import { OWN_CONVERSATION } from '#core/mail/conversation.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { jsonSchemaOf } from '#kernel/json-schema.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { inert } from '#kernel/text.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { type Offer, toolName } from './offers.js';
import { listedPrompts, textOfPrompt } from './prompts.js';
import type { Server as ProtocolServer } from './protocol.js';
import { listedResources, readingAt, resourceTemplates, type ToolCall } from './readings.js';

export interface ToolServerOptions {
  readonly version: string;
  readonly offer: Offer;
  readonly call: ToolCall;
}

/** Serves tools over standard input and output until the client closes them. */
export async function serveTools({ version, offer, call }: ToolServerOptions): Promise<void> {
  const { Server, serveStdio } = await import('#surfaces/mcp/protocol.js');
  const tools = Promise.all(offer.specs.map((spec) => toolOf(spec, offer)));
  const answer = async (name: string, input: unknown) => {
    const tool = (await tools).find((candidate) => candidate.name === name);
    if (!tool) throw new TroupeError('not_found', { what: `There is no tool ${JSON.stringify(name.slice(0, 60))}.` });
    return asText(await call(tool.spec, inputOf(tool.spec, input, offer)));
  };
  await new Promise<void>((resolve) => {
    const transportClosed = () => resolve();
    serveStdio(
      () => {
        const more = offer.attachments ? { resources: {}, prompts: {} } : {};
        const server = new Server(
          { name: 'troupe', version },
          { capabilities: { tools: {}, ...more }, instructions: offer.instructions },
        );
        if (offer.attachments) attach(server, call);
        server.setRequestHandler('tools/list', async () => ({
          tools: (await tools).filter(({ spec }) => offer.lists(spec)).map(listed),
        }));
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

/** Lets a client attach tasks, traces and teams, and offers prompts. */
function attach(server: ProtocolServer, call: ToolCall): void {
  server.setRequestHandler('resources/list', async () => ({ resources: await listedResources(call) }));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: resourceTemplates() }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found = readingAt(uri);
    if (found === undefined) throw new TroupeError('not_found', { what: 'There is no such resource.' });
    const text = asText(await call(found.spec, found.input));
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  });
  server.setRequestHandler('prompts/list', async () => ({ prompts: listedPrompts() }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const text = textOfPrompt(params.name, params.arguments ?? {});
    if (text === undefined)
      throw new TroupeError('bad_input', { what: 'There is no such prompt, or its argument is missing.' });
    return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] };
  });
}

/** Description of a tool as sent to clients. */
export function listed({ name, description, inputSchema, annotations }: Tool) {
  return { name, description, inputSchema, annotations };
}

/** Serialises an answer. Titles and logs are foreign text, so hidden characters are made visible. */
function asText(value: unknown): string {
  const text = inert(JSON.stringify(value), true);
  if (Buffer.byteLength(text) <= WORK_LIMITS.toolAnswerBytes) return text;
  throw new TroupeError('too_large', {
    what: `The answer has more than ${WORK_LIMITS.toolAnswerBytes} bytes.`,
    hint: 'Ask for less: one task, or the tasks of one status.',
  });
}

/** Operations whose id defaults to the task of the run. */
const ABOUT_OWN = /^task\.(?!add$|list$|ready$)|^msg\.(list|read|poll)$|^formation\.hand-in$/;

export interface Tool {
  readonly spec: OperationSpec;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { type: 'object' };
  readonly annotations: { readonly readOnlyHint: boolean };
}

/** Describes an operation as a tool: its fields are those of the operation, with the summaries of the command line. */
export async function toolOf(spec: OperationSpec, offer: Offer): Promise<Tool> {
  const { input } = await spec.load();
  const schema = jsonSchemaOf(input, 'input');
  const summaries = new Map(
    [...(spec.options ?? []), ...(spec.arguments ?? [])].map((each) => [each.field, each.summary]),
  );
  const fields = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const properties = Object.entries(fields).flatMap(([field, value]) => {
    if (!offer.shows(spec, field) || offer.withheld(spec, field) || !isJsonObject(value)) return [];
    const summary = summaries.get(field);
    return [[field, summary === undefined ? value : { ...value, description: summary }] as const];
  });
  const own = defaultTarget(spec, offer);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return {
    spec,
    name: toolName(spec),
    description:
      offer.about(spec) ?? `${spec.summary}.${ABOUT_OWN.test(spec.name) && own ? ' Without id: your own task.' : ''}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: required.filter((field) => field !== own?.field),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: spec.kind === 'read' },
  };
}

/** Default target of a call of a run: its own task, or the conversation it works on. */
function defaultTarget(
  { name }: OperationSpec,
  { ownTask }: Offer,
): { readonly field: string; readonly value: string } | undefined {
  if (ownTask === undefined) return undefined;
  if (ABOUT_OWN.test(name)) return { field: 'id', value: ownTask };
  return name === 'bus.reply' ? { field: 'conversation_id', value: OWN_CONVERSATION } : undefined;
}

/**
 * Returns the input of an operation from the arguments of a client, with the default target filled in. Errors:
 * `not_yours` for a withheld field.
 */
export function inputOf(spec: OperationSpec, values: unknown, offer: Offer): JsonObject {
  const input = isJsonObject(values) ? values : {};
  const wrong = Object.keys(input).find((field) => offer.withheld(spec, field));
  if (wrong !== undefined)
    throw new TroupeError('not_yours', { what: `\`${wrong}\` is not available to tools. ${offer.because}` });
  const own = defaultTarget(spec, offer);
  return own === undefined || input[own.field] !== undefined ? input : { ...input, [own.field]: own.value };
}
