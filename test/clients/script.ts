/** What the prompt of a case asks the scripted model to do, by a marker `CASE:name`. */
export const SCRIPTS = ['text', 'write', 'own', 'unauthorised', 'broken', 'hang', 'busy', 'tool'] as const;
export type Script = (typeof SCRIPTS)[number];

export interface Tool {
  readonly name: string;
  /** The server it belongs to, for clients that name that apart. */
  readonly namespace?: string;
  /** Names of its parameters, with their types as JSON Schema has them. */
  readonly parameters: Readonly<Record<string, { readonly type?: unknown }>>;
}

/** A request of any provider, as far as a script needs to know it. */
export interface Request {
  /** All that was said, for the marker. */
  readonly text: string;
  readonly tools: readonly Tool[];
  /** A tool was called since the last word of the user. */
  readonly toolAnswered: boolean;
}

export type Answer =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'tool';
      readonly name: string;
      readonly namespace?: string | undefined;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'status'; readonly status: number; readonly message: string }
  | { readonly kind: 'hang' };

/** What each answer claims to have cost, so that figures can be checked: 100 tokens in, of which 30 from a cache, and 7 out. */
export const FIGURES = { input: 100, cached: 30, output: 7 } as const;

/** The file that the script `write` makes in the client's folder, and what it holds. */
export const MADE = { name: 'made.txt', content: 'made by the model' } as const;

/** What the script `tool` has noted in the log of the task. */
export const NOTED = 'noted by a tool';

export function answerFor({ text, tools, toolAnswered }: Request): Answer {
  const script = [...text.matchAll(/CASE:([a-z]+)/g)].at(-1)?.[1] as Script | undefined;
  switch (script) {
    case 'write':
      return toolAnswered ? { kind: 'text', text: 'It is written.' } : writing(tools);
    case 'own':
      if (toolAnswered) return { kind: 'text', text: 'It is reported.' };
      return shellCall(tools, 'troupe done t') ?? { kind: 'text', text: 'There is no shell.' };
    case 'tool':
      return toolAnswered ? { kind: 'text', text: 'It is noted.' } : noting(tools);
    case 'unauthorised':
      return { kind: 'status', status: 401, message: 'This key is not known.' };
    case 'broken':
      return { kind: 'status', status: 500, message: 'The server is broken.' };
    case 'hang':
      return { kind: 'hang' };
    case 'busy':
      return toolAnswered ? { kind: 'hang' } : (shellCall(tools, 'sleep 300') ?? { kind: 'hang' });
    default:
      return { kind: 'text', text: 'Nothing to do.' };
  }
}

function writing(tools: readonly Tool[]): Answer {
  const byShell = shellCall(tools, `printf '%s' '${MADE.content}' > ${MADE.name}`);
  if (byShell !== undefined) return byShell;
  const writer = tools.find(({ name }) => ['write_file', 'write', 'Write'].includes(name));
  if (writer === undefined) return { kind: 'text', text: 'There is no tool that writes.' };
  const file = 'file_path' in writer.parameters ? 'file_path' : 'filePath' in writer.parameters ? 'filePath' : 'path';
  return { kind: 'tool', name: writer.name, input: { [file]: MADE.name, content: MADE.content } };
}

/** A tool of our own server, however the client calls it. */
function noting(tools: readonly Tool[]): Answer {
  const tool = tools.find(({ name }) => /(^|_)task_log$/.test(name));
  if (tool === undefined) return { kind: 'text', text: 'There is no tool of ours.' };
  return { kind: 'tool', name: tool.name, namespace: tool.namespace, input: { message: NOTED } };
}

function shellCall(tools: readonly Tool[], command: string): Answer | undefined {
  const names = ['exec_command', 'shell_command', 'shell', 'Bash', 'bash', 'run_shell_command'];
  const shell = tools.find(({ name }) => names.includes(name));
  if (shell === undefined) return undefined;
  const { parameters } = shell;
  const takesList = parameters['command']?.type === 'array';
  const input = 'cmd' in parameters ? { cmd: command } : { command: takesList ? ['bash', '-lc', command] : command };
  const also = Object.fromEntries(
    Object.entries({ description: 'scripted', is_background: false }).filter(([key]) => key in parameters),
  );
  return { kind: 'tool', name: shell.name, input: { ...input, ...also } };
}
