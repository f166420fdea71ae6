/**
 * The table of operations, their types by name, the single way to call them, and code their folders share.
 * @packageDocumentation
 */
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
import { REVIEW_SPECS } from '#operations/review/specs.js';
import { ROLE_LEARNING_SPECS, SESSION_START } from '#operations/roles/learning-specs.js';
import { ROLE_FILE_SPECS } from '#operations/roles/specs.js';
import { AGENT_SPECS, CHECKPOINT_SPECS, PROMPT_SPECS } from '#operations/runs/specs.js';
import { EXECUTOR_SPECS, FORMAT_SPECS, SETTINGS_SPECS } from '#operations/settings/specs.js';
import { ROSTER_SPECS } from '#operations/teams/roster-specs.js';
import { TEAMS_SPECS } from '#operations/teams/specs.js';
import { TEAM_TALK_SPECS } from '#operations/teams/talk-specs.js';
import { TEAMWORK_SPECS } from '#operations/teamwork/specs.js';
import { WORKER_SPECS } from '#operations/workers/specs.js';
import { FUNCTION_SPECS, WORKFLOW_SPECS } from '#operations/workflows/specs.js';
import { LAND, LANDING, WORKTREE_SPECS } from '#operations/worktrees/specs.js';
import type { OperationSpec } from './operation-spec.js';

const TABLE = [
  ...GRAPH_SPECS,
  ...AGENCY_SPECS,
  ...FEDERATION_SPECS,
  ...PICTURE_SPECS,
  ...FORMAT_SPECS,
  ...SIMULATION_SPECS,
  ...FUNCTION_SPECS,
  ...EXECUTOR_SPECS,
  ...EVALUATION_SPECS,
  ...EVOLUTION_SPECS,
  ...ARCHIVE_SPECS,
  ...CASTING_SPECS,
  ...TEAM_SPECS,
  ...TEAMS_SPECS,
  ...TEAMWORK_SPECS,
  ...TEAM_TALK_SPECS,
  ...ROSTER_SPECS,
  ...CATALOG_SPECS,
  ...SYNC_SPECS,
  ...UNVERIFIED_SPECS,
  ...UNDO_SPECS,
  ...CHECKPOINT_SPECS,
  ...MEMORY_SPECS,
  ...MESSAGE_SPECS,
  ...BUS_SPECS,
  ...MODEL_SPECS,
  ...AGENT_SPECS,
  ...PROMPT_SPECS,
  ...BLUEPRINT_SPECS,
  ...ROLE_FILE_SPECS,
  ...ROLE_LEARNING_SPECS,
  ...WORKFLOW_SPECS,
  ...GATE_SPECS,
  ...FORMATION_SPECS,
  ...PANEL_SPECS,
  ...REVIEW_SPECS,
  ...SESSION_SPECS,
  ...SETTINGS_SPECS,
  ...STATUS_SPECS,
  ...DOCTOR_SPECS,
  ...DATABASE_SPECS,
  ...WORKER_SPECS,
  ...TRACE_SPECS,
  ...WORKTREE_SPECS,
  ...ANALYSIS_SPECS,
];

/**
 * All operations. Command line, HTTP and help are generated from this table; each module describes its own operations.
 */
export const OPERATIONS: readonly OperationSpec[] = TABLE;

/**
 * Operations without a command of their own, which pages call by name. Landing is confirmed on the page that shows it.
 */
export const UNLISTED: readonly OperationSpec[] = [LANDING, LAND, SESSION_START];

/** The table with the type of each row, for `OperationMap`. */
export type Table = typeof TABLE;
