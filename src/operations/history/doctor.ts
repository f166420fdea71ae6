import * as z from 'zod/mini';
import { PROJECTIONS } from '#core/history/projections.js';
import { forgeBookIn } from '#core/imports/forge-state.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { inert, inSentence, shellWord } from '#kernel/text.js';
import type { FilesContext, GraphContext, MachineContext, ProjectContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import { worktreeGaps } from '#operations/review/gaps.js';
import { clientFaults } from '#operations/settings/client-faults.js';
import { lookAtMachine, machineRowShape } from '#operations/settings/machine.js';
import { expiredTokens } from '#operations/settings/tokens.js';
import { teamsProblem } from '#operations/teams-fault.js';
import type { GraphDoctor, GraphFinding } from '#ports/graph-store.js';
import { graphFindingShape } from '#ports/graph-store.js';
import { mergeDriverOf } from './merge-driver.js';
import { rebuilt, whileNoServiceRuns } from './projections.js';

/**
 * Checks whether this machine has what work needs and whether the files of the graph are sound and consistent; with
 * `repair`, repairs what can be repaired safely. Without a graph, checks only the machine.
 */
export const doctor = operation({
  name: 'project.doctor',
  command: 'doctor',
  group: 'Storage',
  kind: 'write',
  forRuns: 'any',
  where: 'caller',
  summary: 'Check this machine (clients, keys, git, Node) and the files of the graph',
  examples: ['troupe doctor', 'troupe doctor --repair --json', 'troupe doctor --rebuild graph'],
  input: z.strictObject({
    repair: option('Repair what can be repaired safely', z.optional(z.boolean())),
    rebuild: option('Make this again from what it follows', z.optional(z.enum(PROJECTIONS)), { value: 'NAME' }),
  }),
  output: z.object({
    /** Whether no errors are left. */
    ok: z.boolean(),
    folder: z.string(),
    /** Whether a graph exists. */
    initialized: z.boolean(),
    machine: z.readonly(z.array(machineRowShape)),
    findings: z.readonly(z.array(graphFindingShape)),
    /** Repairs made, one sentence each. */
    repaired: z.readonly(z.array(z.string())),
    /** Results of the rebuild, one sentence each. */
    rebuilt: z.readonly(z.array(z.string())),
  }),
  async run(context: ProjectContext, input) {
    const doctor = await context.doctor();
    if ((input.repair === true || input.rebuild !== undefined) && context.caller.kind === 'run') {
      throw new TroupeError('not_yours', { what: 'A run cannot repair the graph: only a person can.' });
    }
    const repaired =
      input.repair === true
        ? [...(await whileNoServiceRuns(doctor.repair())), ...(await (await context.teams()).restore())]
        : [];
    const made = input.rebuild === undefined ? [] : await rebuilt(context, input.rebuild);
    const machine = await lookAtMachine(context);
    const examined = await examine(doctor);
    const findings = [
      ...(await aboutRecords(context)),
      ...(examined === undefined
        ? []
        : [
            ...examined,
            ...(await aboutTeams(context)),
            ...(await aboutDriver(context)),
            ...(await aboutWorktrees(context)),
            ...(await aboutClients(context)),
            ...(await aboutTokens(context)),
            ...(await aboutForge(context)),
          ]),
    ];
    const ok = [...machine.map((row) => row.state), ...findings.map((row) => row.severity)].every(
      (is) => is !== 'error',
    );
    return {
      ok,
      folder: context.projectFolder,
      initialized: examined !== undefined,
      machine,
      findings,
      repaired,
      rebuilt: made,
    };
  },
});

/** Undefined if there is no graph. */
async function examine(doctor: GraphDoctor): Promise<readonly GraphFinding[] | undefined> {
  try {
    return await doctor.examine();
  } catch (error) {
    if (isRefusal(error, 'not_initialized')) return undefined;
    throw error;
  }
}

async function aboutTeams(context: Pick<Context, 'graph' | 'teams'>): Promise<GraphFinding[]> {
  const view = await (await context.graph()).view();
  const trouble = await teamsProblem(context, view, { thoroughly: true });
  if (trouble === undefined) return [];
  const { text, repairable } = trouble;
  const remedy = repairable
    ? 'Run `troupe doctor --repair` to put the copy in its place.'
    : 'Restore .workgraph/teams.db from a backup, or move it away to start again.';
  return [{ severity: 'error', code: 'teams_store', text, remedy, file: FROM_PROJECT.teams, repairable }];
}

/** Findings about things that worktrees lack but the checkout has. */
async function aboutWorktrees(context: Pick<Context, 'trees'>): Promise<GraphFinding[]> {
  return (await worktreeGaps(context)).map(({ text, remedy }) => ({
    severity: 'note',
    code: 'worktree_gap',
    text,
    remedy,
    repairable: false,
  }));
}

/** Findings about configured clients that do not exist: `config set` refuses them, an editor does not. */
async function aboutClients(context: MachineContext): Promise<GraphFinding[]> {
  const { settings } = await loadSettings(context);
  const file = (await context.settings()).name;
  return (await clientFaults(context, settings)).map(({ key, error }) => ({
    severity: error.code === 'unknown_executor' ? 'error' : 'note',
    code: error.code,
    text: `${key}: ${error.message}`,
    remedy: error.hint,
    file,
    repairable: false,
  }));
}

async function aboutTokens(context: Pick<Context, 'clock' | 'accessTokens'>): Promise<GraphFinding[]> {
  return (await expiredTokens(context)).map((name) => ({
    severity: 'note',
    code: 'token_ended',
    text: `The token ${name} of the HTTP API has expired.`,
    remedy: `Run \`troupe token revoke ${name}\`, then \`troupe token add ${name}\` for another.`,
    repairable: false,
  }));
}

/** Findings about the folder in which the services of this person tell of each other, for `troupe projects`. */
async function aboutRecords(context: Pick<Context, 'caller' | 'servedProjects'>): Promise<GraphFinding[]> {
  if (context.caller.kind === 'run') return []; // what else the person has is none of its business
  return (await context.servedProjects()).faults().map(({ kind, path: file }) => {
    const word = shellWord(file);
    const unused = 'no service of yours is listed by `troupe projects`.';
    const [severity, text, remedy] = {
      open: [
        'warning',
        `Others can access ${file}: ${unused}`,
        `Run \`chmod 700 ${word}\`, then restart the services.`,
      ],
      foreign: [
        'warning',
        `${file} is not a folder of yours: ${unused}`,
        `Move it away with \`mv ${word} ${shellWord(`${file}.old`)}\`, or set XDG_RUNTIME_DIR to a folder of yours; then restart the services.`,
      ],
      stray: ['note', `${file} is not the record of a service.`, `Remove it with \`rm -r ${word}\`.`],
    }[kind] as [GraphFinding['severity'], string, string];
    return { severity, code: 'service_records', text: inert(text), remedy: inert(remedy), repairable: false };
  });
}

/** Finding about an exchange of issues that fails. */
async function aboutForge(context: Pick<Context, 'graph'>): Promise<GraphFinding[]> {
  const { trouble } = forgeBookIn(await (await context.graph()).view());
  if (trouble === undefined) return [];
  const text = `Issues of ${trouble.forge} cannot be exchanged: ${inSentence(trouble.text)}`;
  const remedy = `Fix that, then run \`troupe sync ${trouble.forge}\`.`;
  return [{ severity: 'warning', code: 'forge_sync', text, remedy, repairable: false }];
}

async function aboutDriver(context: GraphContext & FilesContext): Promise<GraphFinding[]> {
  if ((await context.storages()).named !== undefined) return []; // a database has no file for git to merge
  let driver: Awaited<ReturnType<typeof mergeDriverOf>>;
  try {
    driver = await mergeDriverOf(context);
  } catch (error) {
    if (isRefusal(error, 'git_missing')) return [];
    throw error;
  }
  if (driver !== 'absent') return [];
  return [
    {
      severity: 'note',
      code: 'merge_driver',
      text: 'This clone merges graph.jsonl line by line: conflicts can occur and are resolved from the log.',
      remedy: 'Run `troupe init --merge-driver` to let git merge it by task and field.',
      repairable: false,
    },
  ];
}
