import * as z from 'zod/mini';
import { BRANCH_TEMPLATE, templateFault } from '#core/worktrees/branch-template.js';
import { folderFault } from '#core/worktrees/layout.js';
import { TREES_FOLDER } from '#core/worktrees/trees-folder.js';
import { LIMITS } from '#kernel/limits.js';
import { DATABASE_BLOBS, DATABASE_PROJECT, DATABASE_REMOTE } from './database.js';
import { OWN_PRICES } from './own-prices.js';

/** What answers questions in text; `claude-cli` is the installed program, `scripted` a file of answers. */
export const MODEL_PROVIDERS = ['anthropic', 'openai', 'openrouter', 'local', 'claude-cli', 'scripted'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

const text = z.optional(z.string().check(z.minLength(1), z.maxLength(LIMITS.settingCharacters)));
/** The name of a variable of the environment: what is secret is never in the file itself. */
const variable = z.optional(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/)));
const whole = (least: number, most: number, otherwise: number) =>
  z._default(z.int().check(z.minimum(least), z.maximum(most)), otherwise);
const amount = z.optional(z.number().check(z.nonnegative(), z.maximum(LIMITS.settingNumber)));
const flag = z._default(z.boolean(), false);
const duration = (otherwise: string) => z._default(z.string().check(z.regex(/^[1-9]\d{0,8}[smhd]$/)), otherwise);

const clientName = z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,63}$/));

/** A check whose sentence says what is wrong. */
const refusal = (faultOf: (value: string) => string | undefined) =>
  z.superRefine<string>((value, context) => {
    const fault = faultOf(value);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault, input: value });
  });

/** Every key there is, by section. A key without a default may be left out. */
export const SECTIONS = {
  coordinator: {
    max_agents: whole(1, LIMITS.agentsMost, LIMITS.agentsDefault),
    /** Seconds. */
    poll_interval: whole(1, 86_400, LIMITS.pollIntervalMs / 1_000),
    executor: z._default(clientName, 'claude'),
    /** Clients that take over while a limit holds another, the first that can. */
    fallback: z._default(z.array(clientName).check(z.maxLength(LIMITS.standInsMost)), []),
    model: text,
    provider: z.optional(z.enum(['anthropic', 'openai', 'openrouter', 'local'])),
    default_context_scope: z.optional(z.enum(['clean', 'task', 'graph', 'full'])),
    agent_timeout: duration('30m'),
    agent_idle_timeout: duration('15m'),
    max_coordinators: whole(1, 64, 4),
    worktree_isolation: z._default(z.enum(['auto', 'on', 'off']), 'auto'),
    merge_back: z._default(z.enum(['merge', 'squash', 'keep']), 'merge'),
    /** Where tasks that come after merged work find their files. */
    follow: z._default(z.enum(['integration', 'project']), 'integration'),
    land: z._default(z.enum(['manual', 'when-clean']), 'manual'),
    /** Of a client that ends well and reports nothing: it is asked once, or its task is done. */
    silent_end: z._default(z.enum(['ask', 'done']), 'ask'),
  },
  worktree: {
    /** Where worktrees lie. One outside of the project counts once a person on this machine agreed to it. */
    folder: z._default(z.string().check(refusal(folderFault)), TREES_FOLDER),
    /** Names of the branches of attempts. */
    branch: z._default(z.string().check(refusal(templateFault)), BRANCH_TEMPLATE),
    /** A command that prepares each new worktree, such as `npm ci`. It counts once a person on this machine agreed to it. */
    setup: text,
    /** How long it may take. */
    setup_timeout: duration('15m'),
    /** Files that git ignores and every worktree gets, as patterns of `.gitignore`. */
    copy: z._default(
      z
        .array(z.string().check(z.minLength(1), z.maxLength(LIMITS.settingCharacters), z.regex(/^[^\0\n]*$/)))
        .check(z.maxLength(LIMITS.copyPatterns)),
      [],
    ),
  },
  clients: {
    /** Whether runs are kept to their places by the operating system: where it can, or else no run is started, or not at all. */
    sandbox: z._default(z.enum(['auto', 'on', 'off']), 'auto'),
    /** Folders that runs may write to beside their own, separated by colons. */
    writable: text,
  },
  /** Whether hooks, plugins and tool servers of the person act in runs. */
  'clients.claude': { own_hooks: z._default(z.boolean(), false) },
  'clients.codex': { own_hooks: z._default(z.boolean(), false) },
  casting: {
    /** Whether files for clients (AGENTS.md, .claude/agents, .github/agents) are written with the team. */
    client_files: z.optional(z.boolean()),
  },
  checkpoint: {
    /** 0 switches the trigger off. */
    auto_interval_turns: whole(0, 10_000, 15),
    auto_interval_mins: whole(0, 10_000, 20),
    max_checkpoints: whole(1, 100, 5),
  },
  guardrails: {
    max_child_tasks_per_agent: whole(0, 10_000, LIMITS.childTasksPerAgent),
    max_task_depth: whole(0, 1_000, LIMITS.taskDepth),
  },
  budget: {
    usd_per_day: amount,
    usd_total: amount,
    usd_per_task: amount,
    tokens_per_day: amount,
    reserve_usd: z._default(z.number().check(z.nonnegative(), z.maximum(LIMITS.settingNumber)), 1),
    reserve_tokens: whole(0, LIMITS.settingNumber, 200_000),
    /** Prices before the shipped ones: `MODEL=INPUT/OUTPUT/CACHED`, US dollars per million tokens, several separated by commas. */
    prices: z.optional(z.string().check(z.maxLength(LIMITS.ownPricesCharacters), z.regex(OWN_PRICES))),
  },
  agency: {
    auto_assign: flag,
    auto_create: flag,
    auto_evaluate: flag,
    auto_place: flag,
    auto_triage: flag,
    compaction: flag,
    /** A score below this fails a task with the tag `eval-gate`, or with `eval_gate_all` any. */
    eval_gate_threshold: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
    eval_gate_all: flag,
    /** A part of the id of an agent, and a model: what entities that programs make are marked with. */
    creator_agent: text,
    creator_model: text,
    /** Who chooses members when a team is cast. */
    casting_model: text,
    casting_provider: z.optional(z.enum(MODEL_PROVIDERS)),
    /** Who says whom a task is for. */
    assigner_model: text,
    assigner_provider: z.optional(z.enum(MODEL_PROVIDERS)),
    /** How much is tried out where rules say it: what is unknown is worth something, no score yet more, and every so often it goes first. */
    exploration_every: whole(1, LIMITS.explorationEveryMost, LIMITS.explorationEvery),
    exploration_constant: z._default(z.number().check(z.minimum(0), z.maximum(1)), LIMITS.explorationConstant),
    novelty_bonus: z._default(z.number().check(z.minimum(0), z.maximum(1)), LIMITS.noveltyBonus),
    /** Who judges work: a part of the id of an agent, and a model. */
    evaluator_agent: text,
    evaluator_model: text,
    evaluator_provider: z.optional(z.enum(MODEL_PROVIDERS)),
    /** Who proposes how roles and trade-offs change: a part of the id of an agent, and a model. */
    evolver_agent: text,
    evolver_model: text,
    evolver_provider: z.optional(z.enum(MODEL_PROVIDERS)),
    /** What is kept and what may go, in words of the project. */
    retention_heuristics: text,
    /** On how many finished tasks a change is tried before anybody works with it. */
    evolve_replay: whole(0, LIMITS.agencyItems, 0),
    /** Work is also judged by what task it seems to be of. */
    flip_enabled: flag,
    flip_inference_model: text,
    flip_inference_provider: z.optional(z.enum(MODEL_PROVIDERS)),
    flip_comparison_model: text,
    flip_comparison_provider: z.optional(z.enum(MODEL_PROVIDERS)),
    /** Work that scores less there is looked into once more; not set: none is. */
    flip_verification_threshold: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
    flip_verification_model: text,
    flip_verification_provider: z.optional(z.enum(MODEL_PROVIDERS)),
  },
  messages: {
    /** How many conversations may be open from one task. */
    max_open: whole(1, LIMITS.conversationsOpenMost, LIMITS.conversationsOpen),
  },
  models: {
    /** `never`: no model is asked anything by Troupe itself; clients that do tasks are not meant. */
    ask: z._default(z.enum(['auto', 'never']), 'auto'),
    /** Of the provider `local`: where it listens, and the variable with its key, where it wants one. */
    local_url: text,
    local_key_env: variable,
  },
  database: {
    /** The name of the project in the database that keeps it. `troupe database move` writes it. */
    project: z.optional(z.string().check(z.regex(DATABASE_PROJECT))),
    /** The git remote of this clone by which work comes from workers on other machines. It counts once a person on this machine agreed to it. */
    remote: z.optional(z.string().check(z.regex(DATABASE_REMOTE))),
    /** An object store for what runs print at workers, `s3://BUCKET/PREFIX`; the database names it then. It counts once a person on this machine agreed to it. */
    blobs: z.optional(z.string().check(z.regex(DATABASE_BLOBS))),
    /** Where attempts work: at the machine of the leader as well, or at workers alone. */
    work: z._default(z.enum(['anywhere', 'workers']), 'anywhere'),
  },
  'notify.smtp': {
    host: text,
    port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
    /** TLS from the first byte; without it the connection is upgraded before a password is said. */
    secure: flag,
    user: text,
    password_env: variable,
    from: text,
  },
  'notify.matrix': { homeserver: text, token_env: variable, room: text },
} as const;

const notifySchema = z.object({
  smtp: z.prefault(z.object(SECTIONS['notify.smtp']), {}),
  matrix: z.prefault(z.object(SECTIONS['notify.matrix']), {}),
});

const clientsSchema = z.object({
  ...SECTIONS.clients,
  claude: z.prefault(z.object(SECTIONS['clients.claude']), {}),
  codex: z.prefault(z.object(SECTIONS['clients.codex']), {}),
});

/** `.workgraph/config.toml`, with defaults put in. */
export const settingsSchema = z.object({
  coordinator: z.prefault(z.object(SECTIONS.coordinator), {}),
  worktree: z.prefault(z.object(SECTIONS.worktree), {}),
  clients: z.prefault(clientsSchema, {}),
  casting: z.prefault(z.object(SECTIONS.casting), {}),
  checkpoint: z.prefault(z.object(SECTIONS.checkpoint), {}),
  guardrails: z.prefault(z.object(SECTIONS.guardrails), {}),
  budget: z.prefault(z.object(SECTIONS.budget), {}),
  agency: z.prefault(z.object(SECTIONS.agency), {}),
  messages: z.prefault(z.object(SECTIONS.messages), {}),
  models: z.prefault(z.object(SECTIONS.models), {}),
  database: z.prefault(z.object(SECTIONS.database), {}),
  notify: z.prefault(notifySchema, {}),
});

export type Settings = z.infer<typeof settingsSchema>;

/** `coordinator.max_agents` → what may stand there. */
export const KEYS: ReadonlyMap<string, z.ZodMiniType> = new Map(
  Object.entries(SECTIONS).flatMap(([section, keys]) =>
    Object.entries(keys).map(([key, schema]): [string, z.ZodMiniType] => [`${section}.${key}`, schema]),
  ),
);
