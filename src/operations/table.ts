/**
 * The table of operations, what each is given and answers by its name, the one way to call them, and what their rooms
 * share.
 * @packageDocumentation
 */
import { EVALUATION_FACES } from '#operations/agency/evaluation-faces.js';
import { AGENCY_FACES } from '#operations/agency/faces.js';
import { BLUEPRINT_FACES } from '#operations/blueprints/faces.js';
import { CATALOG_FACES } from '#operations/catalog/faces.js';
import { SESSION_FACES } from '#operations/coordinator/faces.js';
import type { Face } from '#operations/face.js';
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
import { REVIEW_FACES } from '#operations/review/faces.js';
import { AGENT_FACES } from '#operations/runs/agent-faces.js';
import { CHECKPOINT_FACES } from '#operations/runs/checkpoint-faces.js';
import { PROMPT_FACES } from '#operations/runs/prompt-faces.js';
import { EXECUTOR_FACES } from '#operations/settings/executor-faces.js';
import { SETTINGS_FACES } from '#operations/settings/faces.js';
import { FORMAT_FACES } from '#operations/settings/format-faces.js';
import { CASTING_FACES } from '#operations/team/casting-faces.js';
import { TEAM_FACES } from '#operations/team/member-faces.js';
import { MEMORY_FACES } from '#operations/team/memory-faces.js';
import { WORKFLOW_FACES } from '#operations/workflows/faces.js';
import { FUNCTION_FACES } from '#operations/workflows/function-faces.js';
import { WORKTREE_FACES } from '#operations/worktrees/faces.js';

const TABLE = [
  ...GRAPH_FACES,
  ...AGENCY_FACES,
  ...PICTURE_FACES,
  ...FORMAT_FACES,
  ...SIMULATION_FACES,
  ...FUNCTION_FACES,
  ...EXECUTOR_FACES,
  ...EVALUATION_FACES,
  ...KEEPING_FACES,
  ...CASTING_FACES,
  ...TEAM_FACES,
  ...CATALOG_FACES,
  ...SYNC_FACES,
  ...CHECKPOINT_FACES,
  ...MEMORY_FACES,
  ...MESSAGE_FACES,
  ...MODEL_FACES,
  ...AGENT_FACES,
  ...PROMPT_FACES,
  ...BLUEPRINT_FACES,
  ...WORKFLOW_FACES,
  ...REVIEW_FACES,
  ...SESSION_FACES,
  ...SETTINGS_FACES,
  ...STATUS_FACES,
  ...CARE_FACES,
  ...TRACE_FACES,
  ...WORKTREE_FACES,
  ...ANALYSIS_FACES,
];

/** Every operation there is. Command line, HTTP and help are made from this table; each module describes its own. */
export const OPERATIONS: readonly Face[] = TABLE;

/** The same with the type of each: what `OperationMap` is made of. */
export type Table = typeof TABLE;
