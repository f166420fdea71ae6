import * as z from 'zod/mini';
import { isSupportedNode } from '#core/runs/node-version.js';
import { CLIENTS, type Client } from '#core/runs/plan.js';
import { SEEN, SIGN_IN, type SignedIn } from '#core/runs/sign-in.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { MachineContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';

export const machineRowShape = z.object({
  subject: z.string(),
  state: z.enum(['ok', 'note', 'error']),
  text: z.string(),
  remedy: z.optional(z.string()),
});
type MachineRow = z.infer<typeof machineRowShape>;

/** Whether a key or a login of this client was found. */
export async function signedIn(
  context: Pick<Context, 'clientPrograms' | 'machine'>,
  client: Client,
): Promise<SignedIn> {
  const { variables, file } = SIGN_IN[client];
  const set = (await context.clientPrograms()).variables(variables);
  if (Object.values(set).some((value) => value !== '')) return 'key';
  return (await context.machine()).holds(file) ? 'login' : 'not-seen';
}

/** Version that a program reports; undefined if it prints none within the timeout. */
export async function programVersion(context: MachineContext, program: string): Promise<string | undefined> {
  const environment = (await context.clientPrograms()).variables(['PATH', 'HOME', 'LANG', 'TMPDIR']);
  const options = { cwd: context.projectFolder, timeMs: TEAM_LIMITS.versionMs, environment };
  const { output } = await (await context.programs()).run(program, ['--version'], options);
  return /(?<=\bv?)\d+\.\d+(?:\.[\w-]+)*/.exec(output)?.[0].slice(0, TEAM_LIMITS.versionCharacters);
}

/** Checks whether this machine has what work needs: Node, git, bash, and a signed-in client. */
export async function lookAtMachine(context: MachineContext): Promise<readonly MachineRow[]> {
  const { node } = await context.machine();
  const clients = await Promise.all(CLIENTS.map((client) => clientRow(context, client)));
  const installed = clients.filter((row) => row !== undefined);
  return [
    isSupportedNode(node)
      ? { subject: 'node', state: 'ok', text: node }
      : {
          subject: 'node',
          state: 'error',
          text: `${node} is too old`,
          remedy: 'Install Node 22.13 or newer, or 20.20.',
        },
    await programRow(context, 'git', 'Install git: attempts work in git worktrees.'),
    await programRow(context, 'bash', 'Install bash: it runs the commands of tasks.'),
    await sandboxRow(context),
    ...(installed.length > 0 ? installed : [NO_CLIENT]),
  ];
}

/** Checks whether runs are sandboxed here. Runs start without a sandbox too. */
async function sandboxRow(context: Pick<Context, 'sandbox'>): Promise<MachineRow> {
  const { state, by, why } = await (await context.sandbox()).standing();
  if (state === 'works') return { subject: 'sandbox', state: 'ok', text: `${by} keeps runs to their own folders` };
  const text = `${why} A run can write wherever you can.`;
  const remedy =
    state === 'off'
      ? 'Run `troupe config set clients.sandbox auto`.'
      : 'Install bubblewrap, on Debian `apt install bubblewrap`.';
  return { subject: 'sandbox', state: 'note', text, remedy };
}

const NO_CLIENT: MachineRow = {
  subject: 'clients',
  state: 'note',
  text: 'none is installed: without an executor of your own, only reviews and tasks with a command can run',
  remedy: 'Run `troupe setup`: it lists the clients and how to install them.',
};

async function programRow(context: MachineContext, program: string, remedy: string): Promise<MachineRow> {
  const place = await (await context.clientPrograms()).find(program);
  if (place === undefined) return { subject: program, state: 'error', text: 'not on your PATH', remedy };
  return { subject: program, state: 'ok', text: (await programVersion(context, place)) ?? place };
}

async function clientRow(context: MachineContext, client: Client): Promise<MachineRow | undefined> {
  const program = await (await context.clientPrograms()).find(client);
  if (program === undefined) return undefined;
  const [version = 'version unknown', seen] = await Promise.all([
    programVersion(context, program),
    signedIn(context, client),
  ]);
  const row = { subject: client, text: `${version}, ${SEEN[seen]}` } as const;
  if (seen !== 'not-seen') return { ...row, state: 'ok' };
  return { ...row, state: 'note', remedy: `${SIGN_IN[client].how} A key in a keychain cannot be checked.` };
}
