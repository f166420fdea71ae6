import path from 'node:path';
import { expect, test } from 'vitest';
import { FEDERATION_SPECS } from '#operations/agency/federation-specs.js';
import { AGENCY_SPECS, EVALUATION_SPECS } from '#operations/agency/specs.js';
import { BLUEPRINT_SPECS } from '#operations/blueprints/specs.js';
import { CASTING_SPECS } from '#operations/casting/casting-specs.js';
import { TEAM_SPECS } from '#operations/casting/member-specs.js';
import { CATALOG_SPECS } from '#operations/catalog/specs.js';
import { SESSION_SPECS } from '#operations/coordinator/specs.js';
import { DATABASE_SPECS } from '#operations/database/specs.js';
import { EVOLUTION_SPECS } from '#operations/evolution/specs.js';
import { GATE_SPECS } from '#operations/formations/gate-specs.js';
import { PANEL_SPECS } from '#operations/formations/panel-specs.js';
import { FORMATION_SPECS } from '#operations/formations/specs.js';
import { UNVERIFIED_SPECS } from '#operations/graph/edit-specs.js';
import { GRAPH_SPECS } from '#operations/graph/specs.js';
import { UNDO_SPECS } from '#operations/graph/undo-specs.js';
import { DOCTOR_SPECS } from '#operations/history/doctor-specs.js';
import { ARCHIVE_SPECS, SYNC_SPECS, TRACE_SPECS } from '#operations/history/specs.js';
import { ANALYSIS_SPECS, PICTURE_SPECS, SIMULATION_SPECS, STATUS_SPECS } from '#operations/insight/specs.js';
import { BUS_SPECS } from '#operations/mail/specs.js';
import { MESSAGE_SPECS } from '#operations/mail/task-talk-specs.js';
import { MEMORY_SPECS } from '#operations/memory/memory-specs.js';
import { MODEL_SPECS } from '#operations/models/specs.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { ACTOR, EDITABLE, FORCE, ID, REASON, SHOW_INTERNAL } from '#operations/options.js';
import { REVIEW_SPECS } from '#operations/review/specs.js';
import { ROLE_LEARNING_SPECS, SESSION_START } from '#operations/roles/learning-specs.js';
import { ROLE_FILE_SPECS } from '#operations/roles/specs.js';
import { AGENT_SPECS, CHECKPOINT_SPECS, PROMPT_SPECS } from '#operations/runs/specs.js';
import { EXECUTOR_SPECS, FORMAT_SPECS, SETTINGS_SPECS } from '#operations/settings/specs.js';
import { OPERATIONS, UNLISTED } from '#operations/table.js';
import { ROSTER_SPECS } from '#operations/teams/roster-specs.js';
import { TEAMS_SPECS } from '#operations/teams/specs.js';
import { TEAM_TALK_SPECS } from '#operations/teams/talk-specs.js';
import { TEAMWORK_SPECS } from '#operations/teamwork/specs.js';
import { WORKER_SPECS } from '#operations/workers/specs.js';
import { FUNCTION_SPECS, WORKFLOW_SPECS } from '#operations/workflows/specs.js';
import { LAND, LANDING, WORKTREE_SPECS } from '#operations/worktrees/specs.js';
import { formOf } from '../schema-form.js';

/** What is called how, looked at and found good; whoever changes one looks again. `vitest -u` writes it. */
const GOLDEN = path.join(import.meta.dirname, 'golden/specs.txt');

const ALL: readonly (OperationSpec | readonly OperationSpec[])[] = [
  FEDERATION_SPECS,
  AGENCY_SPECS,
  EVALUATION_SPECS,
  BLUEPRINT_SPECS,
  BUS_SPECS,
  CATALOG_SPECS,
  SESSION_SPECS,
  EVOLUTION_SPECS,
  GATE_SPECS,
  PANEL_SPECS,
  FORMATION_SPECS,
  UNVERIFIED_SPECS,
  UNDO_SPECS,
  GRAPH_SPECS,
  ARCHIVE_SPECS,
  DOCTOR_SPECS,
  DATABASE_SPECS,
  WORKER_SPECS,
  SYNC_SPECS,
  TRACE_SPECS,
  ANALYSIS_SPECS,
  PICTURE_SPECS,
  SIMULATION_SPECS,
  STATUS_SPECS,
  ROLE_LEARNING_SPECS,
  SESSION_START,
  ROLE_FILE_SPECS,
  MESSAGE_SPECS,
  MODEL_SPECS,
  REVIEW_SPECS,
  ROSTER_SPECS,
  AGENT_SPECS,
  CHECKPOINT_SPECS,
  PROMPT_SPECS,
  EXECUTOR_SPECS,
  FORMAT_SPECS,
  SETTINGS_SPECS,
  CASTING_SPECS,
  TEAM_SPECS,
  MEMORY_SPECS,
  TEAMS_SPECS,
  TEAM_TALK_SPECS,
  TEAMWORK_SPECS,
  FUNCTION_SPECS,
  WORKFLOW_SPECS,
  LAND,
  LANDING,
  WORKTREE_SPECS,
];

test('every operation is called, takes and may be used by whom as it was found good', async () => {
  const form = ({ summary: _, ...rest }: { readonly summary: string }) => `  ${JSON.stringify(rest)}`;
  expect([...OPERATIONS, ...UNLISTED].map(({ name }) => name).sort()).toEqual(
    ALL.flat()
      .map(({ name }) => name)
      .sort(),
  );
  const told = ALL.flat().map(({ name, summary: _, examples: __, load: ___, arguments: given, options, ...rest }) =>
    [`${name} ${JSON.stringify(rest)}`, ...(given ?? []).map(form), ...(options ?? []).map(form)].join('\n'),
  );
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(GOLDEN);
});

test('the flags of operations, those that several share among them', async () => {
  const form = ({ summary: _, ...rest }: { readonly summary: string }) => rest;
  expect([ID, REASON, ACTOR, FORCE, SHOW_INTERNAL].map(form)).toEqual([
    { field: 'id', names: 'task', required: true },
    { flag: 'reason', field: 'reason', type: 'text', value: 'TEXT' },
    { flag: 'actor', field: 'actor', type: 'text', value: 'NAME' },
    { flag: 'force', field: 'force', type: 'switch' },
    { flag: 'show-internal', field: 'show_internal', type: 'switch' },
  ]);
  const lines = EDITABLE.map((option) => JSON.stringify(form(option)));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/editable.txt'));
});

test('what every operation is given and answers is as it was found good', async () => {
  const told = await Promise.all(
    ALL.flat().map(async (spec) => {
      const { input, output } = await spec.load();
      return `${spec.name}\n  given ${formOf(input, 'input')}\n  answers ${formOf(output, 'output')}`;
    }),
  );
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/shapes.txt'));
});
