import type { core } from 'zod/mini';
import * as z from 'zod/mini';
import { BRANCH_TEMPLATE, templateFault } from '#core/settings/branch-template.js';
import { folderFault } from '#core/settings/layout.js';
import { TREES_FOLDER } from '#core/settings/trees-folder.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { QUIET_HOURS } from '#kernel/quiet-hours-form.js';
import { DATABASE_BLOBS, DATABASE_PROJECT, DATABASE_REMOTE } from './database.js';
import { OWN_PRICES } from './own-prices.js';

/** Providers of text models; `claude-cli` is the installed program, `scripted` a file of answers. */
export const MODEL_PROVIDERS = ['anthropic', 'openai', 'openrouter', 'local', 'claude-cli', 'scripted'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

const text = z.optional(z.string().check(z.minLength(1), z.maxLength(TEAM_LIMITS.settingCharacters)));
/** Name of an environment variable: secrets are never stored in the file. */
const variable = z.optional(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/)));
const whole = (least: number, most: number, otherwise: number) =>
  z._default(z.int().check(z.minimum(least), z.maximum(most)), otherwise);
const amount = z.optional(z.number().check(z.nonnegative(), z.maximum(TEAM_LIMITS.settingNumber)));
const flag = z._default(z.boolean(), false);
const duration = (otherwise: string) => z._default(z.string().check(z.regex(/^[1-9]\d{0,8}[smhd]$/)), otherwise);

const clientName = z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,63}$/));

/** A check with its own error message. */
const refusal = (faultOf: (value: string) => string | undefined) =>
  z.superRefine<string>((value, context) => {
    const fault = faultOf(value);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault, input: value });
  });

/** Default label of issues that become tasks. */
export const SYNC_LABEL = 'troupe';

/** Kinds of things that a person can be told. */
const TOLD = ['review', 'question', 'failed', 'plan', 'budget'] as const;

/** All keys by section. A key without a default is optional. */
export const SECTIONS = {
  coordinator: {
    max_agents: whole(1, WORK_LIMITS.agentsMost, WORK_LIMITS.agentsDefault),
    /** In seconds. */
    poll_interval: whole(1, 86_400, WORK_LIMITS.pollIntervalMs / 1_000),
    executor: z._default(clientName, 'claude'),
    /** Clients that replace one held by a provider limit, in order of preference. */
    fallback: z._default(z.array(clientName).check(z.maxLength(WORK_LIMITS.standInsMost)), []),
    model: text,
    provider: z.optional(z.enum(['anthropic', 'openai', 'openrouter', 'local'])),
    default_context_scope: z.optional(z.enum(['clean', 'task', 'graph', 'full'])),
    agent_timeout: duration('30m'),
    agent_idle_timeout: duration('15m'),
    max_coordinators: whole(1, 64, 4),
    worktree_isolation: z._default(z.enum(['auto', 'on', 'off']), 'auto'),
    merge_back: z._default(z.enum(['merge', 'squash', 'keep']), 'merge'),
    /** Branch from which dependents of merged work start. */
    follow: z._default(z.enum(['integration', 'project']), 'integration'),
    land: z._default(z.enum(['manual', 'when-clean', 'pull-request']), 'manual'),
    /** Handling of a client that exits successfully without a report: it is asked once, or its task is done. */
    silent_end: z._default(z.enum(['ask', 'done']), 'ask'),
  },
  worktree: {
    /** Folder of worktrees. A folder outside the project requires the consent of a person on this machine. */
    folder: z._default(z.string().check(refusal(folderFault)), TREES_FOLDER),
    /** Template for the names of attempt branches. */
    branch: z._default(z.string().check(refusal(templateFault)), BRANCH_TEMPLATE),
    /**
     * A command that prepares each new worktree, such as `npm ci`. Requires the consent of a person on this machine.
     */
    setup: text,
    /** Timeout of the setup command. */
    setup_timeout: duration('15m'),
    /** Ignored files to copy to every worktree, as patterns of `.gitignore`. */
    copy: z._default(
      z
        .array(z.string().check(z.minLength(1), z.maxLength(TEAM_LIMITS.settingCharacters), z.regex(/^[^\0\n]*$/)))
        .check(z.maxLength(WORK_LIMITS.copyPatterns)),
      [],
    ),
  },
  clients: {
    /**
     * Sandbox of the operating system for runs: used if available (`auto`), required to start a run (`on`), or unused
     * (`off`).
     */
    sandbox: z._default(z.enum(['auto', 'on', 'off']), 'auto'),
    /** Additional writable folders of runs, separated by colons. */
    writable: text,
  },
  /** Whether the person's hooks, plugins and tool servers are active in runs. */
  'clients.claude': { own_hooks: z._default(z.boolean(), false) },
  'clients.codex': { own_hooks: z._default(z.boolean(), false) },
  casting: {
    /** Whether files for clients (AGENTS.md, .claude/agents, .github/agents) are written with the team. */
    client_files: z.optional(z.boolean()),
  },
  checkpoint: {
    /** 0 disables the trigger. */
    auto_interval_turns: whole(0, 10_000, 15),
    auto_interval_mins: whole(0, 10_000, 20),
    max_checkpoints: whole(1, 100, 5),
  },
  guardrails: {
    max_child_tasks_per_agent: whole(0, 10_000, WORK_LIMITS.childTasksPerAgent),
    max_task_depth: whole(0, 1_000, WORK_LIMITS.taskDepth),
  },
  budget: {
    usd_per_day: amount,
    usd_total: amount,
    usd_per_task: amount,
    tokens_per_day: amount,
    reserve_usd: z._default(z.number().check(z.nonnegative(), z.maximum(TEAM_LIMITS.settingNumber)), 1),
    reserve_tokens: whole(0, TEAM_LIMITS.settingNumber, 200_000),
    /**
     * Prices that override the shipped ones: `MODEL=INPUT/OUTPUT/CACHED`, US dollars per million tokens, separated by
     * commas.
     */
    prices: z.optional(z.string().check(z.maxLength(WORK_LIMITS.ownPricesCharacters), z.regex(OWN_PRICES))),
  },
  agency: {
    auto_assign: flag,
    auto_create: flag,
    auto_evaluate: flag,
    auto_place: flag,
    auto_triage: flag,
    compaction: flag,
    /** A lower score fails a task with the tag `eval-gate`; with `eval_gate_all`, any task. */
    eval_gate_threshold: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
    eval_gate_all: flag,
    /** Part of an agent id, and a model: recorded in entities that programs create. */
    creator_agent: text,
    creator_model: text,
    /** Model that selects members when a team is cast. */
    casting_model: text,
    casting_provider: z.optional(z.enum(MODEL_PROVIDERS)),
    /** Model that assigns tasks to members. */
    assigner_model: text,
    assigner_provider: z.optional(z.enum(MODEL_PROVIDERS)),
    /**
     * Exploration where rules assign: every `exploration_every`-th assignment explores, a bonus shrinks with the number
     * of scores, and an agent without a score gets `novelty_bonus` on top.
     */
    exploration_every: whole(1, TEAM_LIMITS.explorationEveryMost, TEAM_LIMITS.explorationEvery),
    exploration_constant: z._default(z.number().check(z.minimum(0), z.maximum(1)), TEAM_LIMITS.explorationConstant),
    novelty_bonus: z._default(z.number().check(z.minimum(0), z.maximum(1)), TEAM_LIMITS.noveltyBonus),
    /** Evaluator of work: part of an agent id, and a model. */
    evaluator_agent: text,
    evaluator_model: text,
    evaluator_provider: z.optional(z.enum(MODEL_PROVIDERS)),
    /** Proposer of changes to roles and trade-offs: part of an agent id, and a model. */
    evolver_agent: text,
    evolver_model: text,
    evolver_provider: z.optional(z.enum(MODEL_PROVIDERS)),
    /** Instructions of the project about what to keep and what to retire. */
    retention_heuristics: text,
    /** Number of finished tasks on which a change is tried before it is used. */
    evolve_replay: whole(0, TEAM_LIMITS.agencyItems, 0),
    /** Whether work is also evaluated by guessing its task from the output. */
    flip_enabled: flag,
    flip_inference_model: text,
    flip_inference_provider: z.optional(z.enum(MODEL_PROVIDERS)),
    flip_comparison_model: text,
    flip_comparison_provider: z.optional(z.enum(MODEL_PROVIDERS)),
    /** A lower flip score causes a verification; if unset, none is verified. */
    flip_verification_threshold: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
    flip_verification_model: text,
    flip_verification_provider: z.optional(z.enum(MODEL_PROVIDERS)),
  },
  messages: {
    /** Maximum conversations open at once from one task. */
    max_open: whole(1, TEAM_LIMITS.conversationsOpenMost, TEAM_LIMITS.conversationsOpen),
  },
  models: {
    /** `never`: Troupe itself asks no model; clients that do tasks are unaffected. */
    ask: z._default(z.enum(['auto', 'never']), 'auto'),
    /** Address of the provider `local`, and the variable with its key, if it needs one. */
    local_url: text,
    local_key_env: variable,
  },
  database: {
    /** Name of the project in its database. Written by `troupe database move`. */
    project: z.optional(z.string().check(z.regex(DATABASE_PROJECT))),
    /**
     * Git remote of this clone that receives work from workers on other machines. Requires the consent of a person on
     * this machine.
     */
    remote: z.optional(z.string().check(z.regex(DATABASE_REMOTE))),
    /**
     * Object store for the output of runs at workers, `s3://BUCKET/PREFIX`; the database then stores only its hashes.
     * Requires the consent of a person on this machine.
     */
    blobs: z.optional(z.string().check(z.regex(DATABASE_BLOBS))),
    /** Machines that run attempts: also that of the leader, or workers only. */
    work: z._default(z.enum(['anywhere', 'workers']), 'anywhere'),
  },
  sync: {
    /** Forge whose issues the service exchanges. All of this section requires the consent of a person here. */
    forge: z.optional(z.enum(['github', 'gitlab'])),
    /** Label of the issues that become tasks. */
    label: z._default(z.string().check(z.minLength(1), z.maxLength(TEAM_LIMITS.settingCharacters)), SYNC_LABEL),
    /** Repository, as `owner/name`; unset, that of the remote `origin`. */
    repository: text,
    /** Time between two exchanges of the service. */
    every: duration('15m'),
    /** Whether an issue is closed when its task is done. */
    close: z._default(z.boolean(), true),
  },
  notify: {
    /** Kinds of things that are told. */
    about: z._default(z.array(z.enum(TOLD)), [...TOLD]),
    /** Local time in which nothing is told, such as `22:00-07:00`; what happened is told in one notice afterwards. */
    quiet: z.optional(z.string().check(z.regex(QUIET_HOURS))),
    /** Least time between two notices; what happens meanwhile is told in one. */
    every: duration('1m'),
    /** Whether notices appear on the desktop of this machine. */
    desktop: flag,
  },
  'notify.webhook': {
    /** Name of the variable with the address, which is a secret. */
    url_env: variable,
    /** Name of the variable with the token, if the service behind the address requires one. */
    token_env: variable,
    /** Form of the message: our own, or that of a service. */
    shape: z._default(z.enum(['json', 'slack', 'discord', 'ntfy']), 'json'),
  },
  'notify.smtp': {
    /** Recipient of notices about the project; people with tasks have addresses of their own. */
    to: text,
    host: text,
    port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
    /** Implicit TLS (from the first byte); otherwise the connection is upgraded before a password is sent. */
    secure: flag,
    user: text,
    password_env: variable,
    from: text,
  },
  'notify.matrix': {
    /** Matrix id that notices about the project mention. */
    to: text,
    homeserver: text,
    token_env: variable,
    room: text,
  },
} as const;

/** A table of the file; absent, it consists of its defaults. */
const section = <Keys extends core.$ZodLooseShape>(keys: Keys) =>
  z.prefault(z.object(keys), {} as z.input<z.ZodMiniObject<Keys>>);

const notifySchema = section({
  ...SECTIONS.notify,
  webhook: section(SECTIONS['notify.webhook']),
  smtp: section(SECTIONS['notify.smtp']),
  matrix: section(SECTIONS['notify.matrix']),
});

const clientsSchema = section({
  ...SECTIONS.clients,
  claude: section(SECTIONS['clients.claude']),
  codex: section(SECTIONS['clients.codex']),
});

/** Schema of `.workgraph/config.toml`, with defaults. */
export const settingsSchema = z.object({
  coordinator: section(SECTIONS.coordinator),
  worktree: section(SECTIONS.worktree),
  clients: clientsSchema,
  casting: section(SECTIONS.casting),
  checkpoint: section(SECTIONS.checkpoint),
  guardrails: section(SECTIONS.guardrails),
  budget: section(SECTIONS.budget),
  agency: section(SECTIONS.agency),
  messages: section(SECTIONS.messages),
  models: section(SECTIONS.models),
  database: section(SECTIONS.database),
  sync: section(SECTIONS.sync),
  notify: notifySchema,
});

export type Settings = z.infer<typeof settingsSchema>;

/** Schema of each value, by key such as `coordinator.max_agents`. */
export const KEYS: ReadonlyMap<string, z.ZodMiniType> = new Map(
  Object.entries(SECTIONS).flatMap(([table, keys]) =>
    Object.entries(keys).map(([key, schema]): [string, z.ZodMiniType] => [`${table}.${key}`, schema]),
  ),
);
