import { leavesHalf, takesSeat, worksForTeam } from './seats.js';

/** Instructions of a case to the scripted model, by a marker `CASE:name` in the prompt. */
export const SCRIPTS = [
  ...(['text', 'write', 'unauthorised', 'broken', 'hang', 'busy', 'tool'] as const),
  ...([
    'fully',
    'lightly',
    'barely',
    'question',
    'breaks',
    'outside',
    'asks',
    'delegates',
    'seat',
    'team',
    'half',
    'limited',
    'inquires',
  ] as const),
] as const;
export type Script = (typeof SCRIPTS)[number];

export interface Tool {
  readonly name: string;
  /** Server of the tool, for clients that name it separately. */
  readonly namespace?: string;
  /** Parameters by name, with their JSON Schema types. */
  readonly parameters: Readonly<Record<string, { readonly type?: unknown }>>;
}

/** A request of any provider, as far as a script needs it. */
export interface Request {
  /** Whole text of the request, which contains the marker. */
  readonly text: string;
  readonly tools: readonly Tool[];
  /** Number of tool calls since the last message of the user. */
  readonly answers: number;
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

/**
 * Usage reported with each answer, to check figures: 100 input tokens, of which 30 from a cache, and 7 output tokens.
 */
export const FIGURES = { input: 100, cached: 30, output: 7 } as const;

/** File that the script `write` creates in the client's folder, and its content. */
export const MADE = { name: 'made.txt', content: 'made by the model' } as const;

/** Last message of the script `question`. */
export const QUESTION = 'Shall I go on? Which file do you mean?';
/** Question of the script `inquires` to a person, its message then, and the answer of the person. */
export const INQUIRY = {
  asked: 'Which file do you mean?',
  said: 'I wait for a person.',
  answer: 'the shared one',
} as const;
/** Pushes, and writes where only Troupe may write. */
const BREACH =
  'git push origin HEAD:refs/heads/pushed; echo x > "$WG_PROJECT_ROOT/.workgraph/evil"; echo x > "$WG_PROJECT_ROOT/.git/hooks/evil"; true';

/** Question of the script `asks` to a member, and the answer of the model to it. */
export const ASKED = 'How far is it, Hicks?';
const ANSWERED = 'Half of the way is behind us.';

/** Message that the script `tool` adds to the log of the task. */
export const NOTED = 'noted by a tool';

export function answerFor(request: Request): Answer {
  const { text, tools, answers } = request;
  const script = [...text.matchAll(/CASE:([a-z]+)/g)].at(-1)?.[1] as Script | undefined;
  switch (script) {
    case 'write':
      return answers > 0 ? { kind: 'text', text: 'It is written.' } : writing(tools);
    case 'tool':
      return answers > 0 ? { kind: 'text', text: 'It is noted.' } : noting(tools);
    case 'seat':
      return takesSeat(request);
    case 'team':
      return worksForTeam(request);
    case 'half':
      return leavesHalf(request);
    case 'unauthorised':
      return { kind: 'status', status: 401, message: 'This key is not known.' };
    case 'broken':
      return { kind: 'status', status: 500, message: 'The server is broken.' };
    case 'hang':
      return { kind: 'hang' };
    case 'busy':
      return answers > 0 ? { kind: 'hang' } : (shellCall(tools, 'sleep 300') ?? { kind: 'hang' });
    case 'fully':
      return fully(text, tools, answers);
    case 'lightly':
      return (
        [
          () => ours(text, tools, 'task_log', { message: NOTED }),
          () => ours(text, tools, 'task_wait', { until: 'timer:1h', checkpoint: 'half way' }),
        ][answers]?.() ?? { kind: 'text', text: 'It waits.' }
      );
    case 'barely':
      return (
        [
          () => ours(text, tools, 'task_log', { message: NOTED }),
          () => ours(text, tools, 'task_fail', { reason: 'scripted reason' }),
        ][answers]?.() ?? { kind: 'text', text: 'It failed.' }
      );
    case 'question':
      return { kind: 'text', text: QUESTION };
    case 'breaks':
      return (
        [() => shellCall(tools, BREACH) ?? writing(tools), () => ours(text, tools, 'task_done', {})][answers]?.() ?? {
          kind: 'text',
          text: 'End the session.',
        }
      );
    case 'limited':
      return { kind: 'status', status: 429, message: 'You have hit your usage limit.' };
    case 'inquires':
      if (text.includes(INQUIRY.answer))
        return [() => ours(text, tools, 'task_done', {})][answers]?.() ?? { kind: 'text', text: 'It is done.' };
      return (
        [() => ours(text, tools, 'task_wait', { until: 'human-input', checkpoint: INQUIRY.asked })][answers]?.() ?? {
          kind: 'text',
          text: INQUIRY.said,
        }
      );
    case 'asks':
      if (text.includes(ANSWERED)) {
        const last = () => ours(text, tools, 'task_done', {});
        return [last][answers]?.() ?? { kind: 'text', text: 'It is answered.' };
      }
      return (
        [() => ours(text, tools, 'Send', { member: 'hicks', message: ASKED })][answers]?.() ?? {
          kind: 'text',
          text: 'I wait for the answer.',
        }
      );
    case 'delegates':
      return answers > 0 ? { kind: 'text', text: 'It was handed on.' } : delegating(tools);
    case 'outside':
      return (
        [
          () =>
            byFileTool(tools, /FILE:([^\s"\\]+)/.exec(text)?.[1] ?? '') ?? shellCall(tools, 'true') ?? nothing('tool'),
          () => ours(text, tools, 'task_done', {}),
        ][answers]?.() ?? { kind: 'text', text: 'End the session.' }
      );
    default:
      if (!text.includes(ASKED)) return { kind: 'text', text: 'Nothing to do.' };
      return (
        [() => ours(text, tools, 'Reply', { message: ANSWERED })][answers]?.() ?? { kind: 'text', text: 'It is said.' }
      );
  }
}

export function writing(tools: readonly Tool[]): Answer {
  const byShell = shellCall(tools, `printf '%s' '${MADE.content}' > ${MADE.name}`);
  if (byShell !== undefined) return byShell;
  return byFileTool(tools, MADE.name) ?? nothing('tool that writes');
}

/** Writes the file of `write` by the client's file tool; undefined if it has none. */
function byFileTool(tools: readonly Tool[], file: string): Answer | undefined {
  const writer = tools.find(({ name }) => ['write_file', 'write', 'Write'].includes(name));
  if (writer === undefined) return undefined;
  const names = ['file_path', 'filePath', 'path'];
  const field = names.find((name) => name in writer.parameters) ?? 'path';
  return { kind: 'tool', name: writer.name, input: { [field]: file, content: MADE.content } };
}

/** Calls a tool of Troupe's server, under the client's name for it. */
function noting(tools: readonly Tool[]): Answer {
  const tool = tools.find(({ name }) => /(^|_)task_log$/.test(name));
  if (tool === undefined) return { kind: 'text', text: 'There is no tool of ours.' };
  return { kind: 'tool', name: tool.name, namespace: tool.namespace, input: { message: NOTED } };
}

/** Agent that the script `delegates` tries to start. */
export const DELEGATE = 'dev-crew:dc-dev';

function delegating(tools: readonly Tool[]): Answer {
  const tool = tools.find(({ name }) => name === 'Agent' || name === 'Task');
  if (tool === undefined) return nothing('tool that begins an agent');
  return {
    kind: 'tool',
    name: tool.name,
    input: { subagent_type: DELEGATE, description: 'scripted', prompt: 'CASE:text' },
  };
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

/** Makes a change, commits it as the prompt says, sends a message and reports. */
function fully(text: string, tools: readonly Tool[], answers: number): Answer {
  const message = 'scripted work';
  const steps = [
    () => writing(tools),
    () =>
      /task_commit/.test(text)
        ? ours(text, tools, 'task_commit', { message })
        : (shellCall(tools, `git add ${MADE.name} && git commit -q -m '${message}'`) ?? nothing('shell')),
    () => ours(text, tools, 'task_artifact', { paths: [MADE.name] }),
    () => ours(text, tools, 'task_log', { message: NOTED }),
    () => ours(text, tools, 'task_done', {}),
  ];
  return steps[answers]?.() ?? { kind: 'text', text: 'It is done.' };
}

/** Calls a tool of Troupe by exactly the name in the prompt, if the client offers it. */
export function ours(
  text: string,
  tools: readonly Tool[],
  tool: string,
  input: Readonly<Record<string, unknown>>,
): Answer {
  const shown = new RegExp(`\`([A-Za-z_.]*${tool})\``).exec(text)?.[1];
  const found = tools.find(
    ({ name, namespace }) => (namespace === undefined ? name : `${namespace}.${name}`) === shown,
  );
  if (found === undefined) return nothing(`${tool} as the prompt names it (${shown})`);
  return { kind: 'tool', name: found.name, namespace: found.namespace, input };
}

const nothing = (what: string): Answer => ({ kind: 'text', text: `There is no ${what}.` });
