import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { EVALUATION_FACES } from '#operations/agency/evaluation-faces.js';
import { AGENCY_FACES } from '#operations/agency/faces.js';
import { BLUEPRINT_FACES } from '#operations/blueprints/faces.js';
import { CATALOG_FACES } from '#operations/catalog/faces.js';
import { SESSION_FACES } from '#operations/coordinator/faces.js';
import type { ArgumentFace, Face, OptionFace } from '#operations/face.js';
import { GRAPH_FACES } from '#operations/graph/faces.js';
import { CARE_FACES } from '#operations/history/doctor-faces.js';
import { KEEPING_FACES } from '#operations/history/store-faces.js';
import { SYNC_FACES } from '#operations/history/sync-faces.js';
import { TRACE_FACES } from '#operations/history/trace-faces.js';
import { ANALYSIS_FACES } from '#operations/insight/analysis-faces.js';
import { PICTURE_FACES } from '#operations/insight/picture-faces.js';
import { SIMULATION_FACES } from '#operations/insight/simulation-faces.js';
import { STATUS_FACES } from '#operations/insight/status-faces.js';
import { MESSAGE_FACES } from '#operations/messages/faces.js';
import { MODEL_FACES } from '#operations/models/faces.js';
import { EDITABLE } from '#operations/options.js';
import { REVIEW_FACES } from '#operations/review/faces.js';
import { AGENT_FACES } from '#operations/runs/agent-faces.js';
import { CHECKPOINT_FACES } from '#operations/runs/checkpoint-faces.js';
import { PROMPT_FACES } from '#operations/runs/prompt-faces.js';
import { EXECUTOR_FACES } from '#operations/settings/executor-faces.js';
import { SETTINGS_FACES } from '#operations/settings/faces.js';
import { FORMAT_FACES } from '#operations/settings/format-faces.js';
import { OPERATIONS } from '#operations/table.js';
import { CASTING_FACES } from '#operations/team/casting-faces.js';
import { TEAM_FACES } from '#operations/team/member-faces.js';
import { MEMORY_FACES } from '#operations/team/memory-faces.js';
import { WORKFLOW_FACES } from '#operations/workflows/faces.js';
import { FUNCTION_FACES } from '#operations/workflows/function-faces.js';
import { WORKTREE_FACES } from '#operations/worktrees/faces.js';

/** The rows of each folder, by its name. */
const FOLDERS: Readonly<Record<string, readonly Face[]>> = {
  agency: AGENCY_FACES,
  agents: AGENT_FACES,
  analysis: ANALYSIS_FACES,
  blueprints: BLUEPRINT_FACES,
  care: CARE_FACES,
  casting: CASTING_FACES,
  catalog: CATALOG_FACES,
  checkpoints: CHECKPOINT_FACES,
  evaluation: EVALUATION_FACES,
  executors: EXECUTOR_FACES,
  formats: FORMAT_FACES,
  functions: FUNCTION_FACES,
  graph: GRAPH_FACES,
  keeping: KEEPING_FACES,
  memory: MEMORY_FACES,
  messages: MESSAGE_FACES,
  models: MODEL_FACES,
  pictures: PICTURE_FACES,
  prompts: PROMPT_FACES,
  review: REVIEW_FACES,
  sessions: SESSION_FACES,
  settings: SETTINGS_FACES,
  simulation: SIMULATION_FACES,
  status: STATUS_FACES,
  sync: SYNC_FACES,
  team: TEAM_FACES,
  trace: TRACE_FACES,
  workflows: WORKFLOW_FACES,
  worktrees: WORKTREE_FACES,
};
const ROWS = Object.values(FOLDERS).flat();

test('the table holds the rows of every folder', () => {
  const operations = path.resolve(import.meta.dirname, '../../src/operations');
  const folders = readdirSync(operations).filter((name) => existsSync(path.join(operations, name, 'faces.ts')));
  expect(Object.keys(FOLDERS).sort()).toEqual(folders.sort());
  expect(OPERATIONS.map(({ name }) => name).sort()).toEqual(ROWS.map(({ name }) => name).sort());
});

test('an argument has to be typed where its operation cannot do without it, and only there', async () => {
  const wrong: string[] = [];
  for (const face of ROWS) {
    const parsed = (await face.load()).input.safeParse({});
    const missing = new Set(parsed.success ? [] : parsed.error.issues.map(({ path: [field] }) => field));
    // What a flag says too need not be typed as an argument.
    const flags = new Set((face.options ?? []).map(({ field }) => field));
    for (const { field, required = false } of face.arguments ?? ([] as readonly ArgumentFace[]))
      if (required !== (missing.has(field) && !flags.has(field))) wrong.push(`${face.name} ${field}`);
  }
  expect(wrong).toEqual([]);
});

test('what writes outside of its folder is asked what is there, and only that; a team needs no graph', async () => {
  const wrong: string[] = [];
  for (const face of ROWS) {
    const { input } = await face.load();
    const takes = (field: string) => {
      const parsed = input.safeParse({ [field]: [] });
      if (parsed.success) return true;
      return !parsed.error.issues.some((issue) => issue.code === 'unrecognized_keys' && issue.keys?.includes(field));
    };
    // Some that are given more than they take leave it aside.
    if (!takes('no field of any') && takes('outside') !== (face.writesOutside === true)) wrong.push(face.name);
  }
  expect(wrong).toEqual([]);
  expect(TEAM_FACES.filter(({ graphless }) => graphless !== true).map(({ name }) => name)).toEqual([]);
});

test('every flag has a name, a type and a summary', () => {
  const options: readonly OptionFace[] = [...EDITABLE, ...ROWS.flatMap((face) => face.options ?? [])];
  for (const option of options) {
    expect(option).toMatchObject({
      flag: expect.stringMatching(/^[a-z][a-z-]*$/),
      summary: expect.stringMatching(/./),
    });
    expect(['text', 'number', 'list', 'each', 'switch'], option.flag).toContain(option.type);
  }
});

test('what is typed to do without a model is a flag with which none is asked', () => {
  const wrong = ROWS.filter(({ asks, options = [] }) => {
    const flag = options.find((option) => `--${option.flag}` === asks?.without?.split(' ')[0]);
    return flag?.type === 'switch' && !asks?.unless?.some(([field, value]) => field === flag.field && value === true);
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});
