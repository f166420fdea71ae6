import { type Answer, FIGURES, type Request, type Tool } from './script.js';

type Json = Record<string, unknown>;
type Said = Extract<Answer, { kind: 'text' | 'tool' }>;

/** HTTP format of one provider. */
interface Wire {
  read(body: Json): Request;
  /** Lines of the event stream. */
  write(said: Said, id: string): string[];
}

const list = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const { input, cached, output } = FIGURES;
const total = input + output;

function toolOf(name: unknown, schema: unknown): Tool {
  return { name: String(name), parameters: ((schema as Json)?.['properties'] ?? {}) as Tool['parameters'] };
}

/** Number of entries of this kind after the last message of the user. */
function answersAfter(entries: readonly Json[], isUser: (entry: Json) => boolean, isTool: (entry: Json) => boolean) {
  return entries.slice(entries.findLastIndex(isUser) + 1).filter(isTool).length;
}

export const responses: Wire = {
  read(body) {
    const items = list(body['input']);
    return {
      text: JSON.stringify(items),
      tools: list(body['tools']).flatMap((tool) =>
        tool['type'] === 'namespace'
          ? list(tool['tools']).map((one) => ({
              ...toolOf(one['name'], one['parameters']),
              namespace: String(tool['name']),
            }))
          : [toolOf(tool['name'], tool['parameters'])],
      ),
      answers: answersAfter(
        items,
        (item) => item['role'] === 'user',
        (item) => item['type'] === 'function_call_output',
      ),
    };
  },
  write(said, id) {
    const item =
      said.kind === 'text'
        ? { type: 'message', role: 'assistant', id, content: [{ type: 'output_text', text: said.text }] }
        : {
            ...{ type: 'function_call', id: `fc_${id}`, call_id: `call_${id}` },
            ...{ name: said.name, arguments: JSON.stringify(said.input) },
            ...(said.namespace === undefined ? {} : { namespace: said.namespace }),
          };
    const usage = {
      ...{ input_tokens: input, input_tokens_details: { cached_tokens: cached } },
      ...{ output_tokens: output, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: total },
    };
    return [
      { type: 'response.created', response: { id } },
      { type: 'response.output_item.done', item },
      { type: 'response.completed', response: { id, usage } },
    ].map((event) => `event: ${event.type}\n${data(event)}`);
  },
};

export const chatCompletions: Wire = {
  read(body) {
    const messages = list(body['messages']);
    return {
      text: JSON.stringify(messages),
      tools: list(body['tools']).map((tool) => {
        const described = (tool['function'] ?? {}) as Json;
        return toolOf(described['name'], described['parameters']);
      }),
      answers: answersAfter(
        messages,
        (message) => message['role'] === 'user',
        (message) => message['role'] === 'tool',
      ),
    };
  },
  write(said, id) {
    const call = (said: Extract<Said, { kind: 'tool' }>) => ({
      ...{ index: 0, id: `call_${id}`, type: 'function' },
      function: { name: said.name, arguments: JSON.stringify(said.input) },
    });
    const delta =
      said.kind === 'text'
        ? { role: 'assistant', content: said.text }
        : { role: 'assistant', content: null, tool_calls: [call(said)] };
    const usage = {
      ...{ prompt_tokens: input, completion_tokens: output, total_tokens: total },
      prompt_tokens_details: { cached_tokens: cached },
    };
    const chunk = (fields: Json) => ({ id, object: 'chat.completion.chunk', created: 1, model: 'm1', ...fields });
    const reason = said.kind === 'text' ? 'stop' : 'tool_calls';
    return [
      data(chunk({ choices: [{ index: 0, delta, finish_reason: null }] })),
      data(chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })),
      data(chunk({ choices: [], usage })),
      'data: [DONE]\n\n',
    ];
  },
};

export const gemini: Wire = {
  read(body) {
    const contents = list(body['contents']);
    const parts = (content: Json | undefined) => list(content?.['parts']);
    return {
      text: JSON.stringify(contents),
      tools: list(body['tools'])
        .flatMap((tool) => list(tool['functionDeclarations']))
        .map((tool) => toolOf(tool['name'], tool['parametersJsonSchema'] ?? tool['parameters'])),
      answers: answersAfter(
        contents.flatMap((content) => parts(content).map((part) => ({ ...part, role: content['role'] }))),
        (part) => part['role'] === 'user' && 'text' in part,
        (part) => 'functionResponse' in part,
      ),
    };
  },
  write(said) {
    const part = said.kind === 'text' ? { text: said.text } : { functionCall: { name: said.name, args: said.input } };
    const usageMetadata = {
      ...{ promptTokenCount: input, cachedContentTokenCount: cached },
      ...{ candidatesTokenCount: output, totalTokenCount: total },
    };
    const content = { role: 'model', parts: [part] };
    return [data({ candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata, modelVersion: 'm1' })];
  },
};

/** Anthropic's messages, as claude uses them: named events, and tool input as pieces of JSON. */
export const messages: Wire = {
  read(body) {
    const said = list(body['messages']);
    const blocks = (message: Json) => list(message['content']);
    return {
      text: JSON.stringify([...said, ...list(body['system'])]),
      tools: list(body['tools']).map((tool) => toolOf(tool['name'], tool['input_schema'])),
      answers: answersAfter(
        said.flatMap((message) =>
          message['role'] === 'user' && !blocks(message).some((block) => block['type'] === 'tool_result')
            ? [{ user: true }]
            : blocks(message),
        ),
        (entry) => entry['user'] === true,
        (entry) => entry['type'] === 'tool_result',
      ),
    };
  },
  write(said, id) {
    const usage = { input_tokens: input - cached, cache_read_input_tokens: cached, cache_creation_input_tokens: 0 };
    const message = { id, type: 'message', role: 'assistant', model: 'm1', content: [], stop_reason: null };
    const block =
      said.kind === 'text'
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: `toolu_${id}`, name: said.name, input: {} };
    const delta =
      said.kind === 'text'
        ? { type: 'text_delta', text: said.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(said.input) };
    const stop_reason = said.kind === 'text' ? 'end_turn' : 'tool_use';
    return [
      { type: 'message_start', message: { ...message, usage: { ...usage, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } },
      { type: 'message_stop' },
    ].map((event) => `event: ${event.type}\n${data(event)}`);
  },
};
