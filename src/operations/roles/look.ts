import * as z from 'zod/mini';
import { auditFindingShape, auditRoles } from '#core/roles/audit.js';
import { LANES, type LaneRow, type Lesson, ROW_STATUSES, roleProblemShape } from '#core/roles/lane.js';
import { cleanRunsLeft } from '#core/roles/lane-life.js';
import { readRoles } from '#core/roles/registry.js';
import { roleName } from '#core/roles/role-name.js';
import { coreFile, laneFile } from '#core/roles/role-paths.js';
import { STARTERS } from '#core/roles/starters.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { FilesContext, TeamContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { loadRoles } from './load-roles.js';
import { poorRowsOf } from './poor-rows.js';
import { roleNotFound } from './solo-lesson.js';

const lessonShape = z.object({ date: z.nullable(z.string()), text: z.string(), line: z.number() });
/** A row in a list, with the number of its lessons only. */
const listedRow = z.object({
  lane: z.enum(LANES),
  name: z.string(),
  file: z.string(),
  line: z.number(),
  role: z.nullable(z.string()),
  status: z.enum(ROW_STATUSES),
  runs: z.object({ clean: z.number(), thin: z.number(), cuts: z.number() }),
  /** Clean runs missing until a row on probation is stable. */
  clean_runs_left: z.nullable(z.number()),
  lesson_count: z.number(),
  fields: z.readonly(z.array(z.object({ key: z.string(), value: z.string() }))),
});
const rowShape = z.extend(listedRow, { lessons: z.readonly(z.array(lessonShape)) });

const lessonAnswer = ({ date, text, line }: Lesson) => ({ date: date ?? null, text, line });
const listedAnswer = (row: LaneRow) => ({
  lane: row.lane,
  name: row.name,
  file: laneFile(row.lane),
  line: row.line,
  role: row.role ?? null,
  status: row.status,
  runs: row.runs,
  clean_runs_left: cleanRunsLeft(row) ?? null,
  lesson_count: row.lessons.length,
  fields: [...row.fields].map(([key, value]) => ({ key, value })),
});
const rowAnswer = (row: LaneRow) => ({ ...listedAnswer(row), lessons: row.lessons.map(lessonAnswer) });

export const list = operation({
  name: 'roles.list',
  command: 'roles list',
  group: 'Roles',
  kind: 'read',
  graphless: true,
  instead: 'roles show',
  summary: 'List the roles of this repository and their rows in each lane',
  examples: ['troupe roles show', 'troupe roles show --lane crew --json'],
  input: z.strictObject({ lane: option('crew, panel or research', z.optional(z.enum(LANES)), { value: 'L' }) }),
  output: z.object({
    lane: z.nullable(z.enum(LANES)),
    cores: z.readonly(
      z.array(
        z.object({
          name: z.string(),
          charter: z.string(),
          core: z.number(),
          solo: z.number(),
          lanes: z.readonly(z.array(z.enum(LANES))),
        }),
      ),
    ),
    rows: z.readonly(z.array(listedRow)),
    /** Shipped roles without a file in this repository: the first solo run copies one. */
    starters: z.readonly(z.array(z.enum(STARTERS))),
    errors: z.number(),
  }),
  run: async (context: TeamContext, { lane }) => {
    const registry = await loadRoles(context);
    const rows = LANES.filter((each) => lane === undefined || each === lane).flatMap((each) => registry.rows[each]);
    const lanesOf = (name: string) => LANES.filter((each) => registry.rows[each].some((row) => row.role === name));
    const cores = [...registry.cores.values()].filter(({ name }) => lane === undefined || lanesOf(name).includes(lane));
    return {
      lane: lane ?? null,
      cores: cores.map(({ name, charter, core, solo }) => ({
        name,
        charter,
        core: core.length,
        solo: solo.length,
        lanes: lanesOf(name),
      })),
      rows: rows.map(listedAnswer),
      starters: STARTERS.filter((name) => !registry.cores.has(name)),
      errors: registry.problems.filter(({ severity }) => severity === 'error').length,
    };
  },
});

export const show = operation({
  name: 'roles.show',
  command: 'roles show',
  group: 'Roles',
  kind: 'read',
  graphless: true,
  summary: 'Show a role and what it learned in each lane',
  examples: ['troupe roles show skeptic', 'troupe roles show skeptic --json'],
  input: z.strictObject({ name: argument('The name of the role', z.string()) }),
  output: z.object({
    name: z.string(),
    core: z.nullable(
      z.object({
        file: z.string(),
        charter: z.string(),
        when_to_use: z.readonly(z.array(z.string())),
        body: z.string(),
        core: z.readonly(z.array(lessonShape)),
        solo: z.readonly(z.array(lessonShape)),
      }),
    ),
    rows: z.readonly(z.array(rowShape)),
  }),
  run: async (context: TeamContext, input) => {
    const name = roleName(input.name);
    const registry = await loadRoles(context);
    const core = registry.cores.get(name);
    const all = LANES.flatMap((lane) => registry.rows[lane]);
    const rows = all.filter((row) => row.name === name || row.role === name);
    if (!core && rows.length === 0)
      throw roleNotFound(name, new Set([...registry.cores.keys(), ...all.map((row) => row.name)]));
    return {
      name,
      core: core
        ? {
            file: coreFile(name),
            charter: core.charter,
            when_to_use: core.whenToUse,
            body: core.body,
            core: core.core.map(lessonAnswer),
            solo: core.solo.map(lessonAnswer),
          }
        : null,
      rows: rows.map(rowAnswer),
    };
  },
});

export const check = operation({
  name: 'roles.check',
  command: 'roles check',
  group: 'Roles',
  kind: 'read',
  graphless: true,
  summary: 'Check the role files; problems by file and line',
  examples: ['troupe roles check', 'troupe roles check --json'],
  input: z.strictObject({}),
  output: z.object({
    ok: z.boolean(),
    cores: z.number(),
    rows: z.number(),
    problems: z.readonly(z.array(roleProblemShape)),
  }),
  run: async (context: TeamContext) => {
    const registry = await loadRoles(context);
    const rows = LANES.reduce((sum, lane) => sum + registry.rows[lane].length, 0);
    return { ok: registry.problems.length === 0, cores: registry.cores.size, rows, problems: registry.problems };
  },
});

export const evolve = operation({
  name: 'roles.evolve',
  command: 'roles evolve',
  group: 'Roles',
  kind: 'read',
  graphless: true,
  instead: 'roles check --evolve',
  summary: 'Report crowded, stale or contradicted lessons; changes nothing',
  examples: ['troupe roles check --evolve', 'troupe roles check --evolve --json'],
  input: z.strictObject({}),
  output: z.object({
    roles: z.number(),
    /** False if the files could not be listed: then no lesson is reported as stale. */
    files_listed: z.boolean(),
    findings: z.readonly(z.array(auditFindingShape)),
  }),
  run: async (context: WorkContext & FilesContext) => {
    const { texts, problems } = await (await context.roleFiles()).read();
    const registry = readRoles(texts, problems);
    const files = registry.cores.size === 0 ? [] : await repositoryFiles(context);
    const findings = auditRoles({ registry, texts, files, poor: await poorRowsOf(context) });
    return { roles: registry.cores.size, files_listed: files !== undefined, findings };
  },
});

/** Files listed by git, including untracked ones; undefined if git fails or times out. */
async function repositoryFiles(
  context: Pick<Context, 'projectFolder' | 'git'>,
): Promise<readonly string[] | undefined> {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const bounds = { maxBytes: TEAM_LIMITS.roleAuditListBytes, timeoutMs: TEAM_LIMITS.roleAuditListMs };
  try {
    const text = await (await context.git()).output(context.projectFolder, words, bounds);
    return text.split('\0').filter((file) => file !== '');
  } catch (error) {
    if (error instanceof TroupeError) return undefined;
    throw error;
  }
}
