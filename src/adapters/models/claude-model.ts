import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLAUDE_PASSES, CLAUDE_QUIET, CLAUDE_TOOLS, claude } from '#core/runs/claude.js';
import { passedFrom } from '#core/runs/variables.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import type { Model, ModelAnswer, ModelQuestion } from '#ports/model.js';
import type { ProgramOutcome, Programs } from '#ports/programs.js';

const PROGRAM = 'claude';
/** One turn, without tools and without project settings. */
const ARGUMENTS = [
  ...['--print', '--output-format', 'json', '--max-turns', '1'],
  ...['--setting-sources', 'user', '--strict-mcp-config'],
  ...['--permission-mode', 'dontAsk', '--disallowedTools', CLAUDE_TOOLS.join(',')],
];

/** The `claude` command line as a model: the prompt on standard input, one JSON object as the answer. */
export class ClaudeModel implements Model {
  readonly name: string;
  private readonly programs: Programs;
  private readonly arguments: readonly string[];
  private readonly environment: Readonly<Record<string, string | undefined>>;

  /**
   * `shared`: variables passed to any program. `ours`: the environment from which this program's own variables are
   * taken.
   */
  constructor(parts: {
    programs: Programs;
    shared: Readonly<Record<string, string>>;
    ours: NodeJS.ProcessEnv;
    model?: string | undefined;
  }) {
    this.arguments = parts.model === undefined ? ARGUMENTS : [...ARGUMENTS, '--model', parts.model];
    this.name = `claude-cli ${parts.model ?? 'default'}`;
    this.programs = parts.programs;
    this.environment = { ...parts.shared, ...passedFrom(CLAUDE_PASSES, parts.ours), ...CLAUDE_QUIET };
  }

  async ready(): Promise<void> {
    refuseAbsent(await this.start(['--version'], { timeMs: TEAM_LIMITS.modelReadyMs }));
  }

  async complete({ prompt, timeMs }: ModelQuestion): Promise<ModelAnswer> {
    const outcome = await this.start(this.arguments, { timeMs, input: prompt });
    refuseAbsent(outcome);
    if (outcome.end === 'timed-out') throw bad(`The model took longer than ${Math.round(timeMs / 1_000)} s.`);
    const result = resultIn(outcome.output);
    if (result === undefined) throw bad(`claude exited with ${outcome.code ?? outcome.end} without an answer.`);
    const { result: text, is_error: failed } = result;
    if (failed === true || outcome.code !== 0 || typeof text !== 'string' || text.trim() === '') {
      const message = typeof text === 'string' && text !== '' ? text : String(result['subtype'] ?? outcome.code);
      throw bad(`claude failed: ${cut(inert(message), TEAM_LIMITS.executorReasonCharacters)}`);
    }
    return { text, usage: usageOf(result) };
  }

  /** Runs in an empty folder, so that instruction files of a project do not apply. */
  private async start(args: readonly string[], options: { timeMs: number; input?: string }): Promise<ProgramOutcome> {
    const cwd = await mkdtemp(path.join(tmpdir(), 'troupe-model-'));
    try {
      return await this.programs.run(PROGRAM, args, { cwd, environment: this.environment, ...options });
    } finally {
      await rm(cwd, { recursive: true, force: true, maxRetries: 3 });
    }
  }
}

function refuseAbsent({ end }: ProgramOutcome): void {
  if (end !== 'missing' && end !== 'not-started') return;
  throw new TroupeError('no_model', {
    what: end === 'missing' ? 'The program claude is not installed.' : 'The program claude does not start.',
    hint: `Install it with \`${claude.install}\`; what needs no model works without it.`,
  });
}

/** The last line that is a result. Warnings may surround it; a truncated line is not valid JSON. */
function resultIn(output: string): JsonObject | undefined {
  for (const line of output.split('\n').reverse()) {
    const value = line.startsWith('{') ? parseJsonObject(line) : undefined;
    if (value?.['type'] === 'result') return value;
  }
  return undefined;
}

/** Usage of a result. Tokens written to or read from a cache count as input too. */
function usageOf(result: JsonObject): NonNullable<ModelAnswer['usage']> {
  const usage = isJsonObject(result['usage']) ? result['usage'] : {};
  const { output_tokens: outputTokens } = usage;
  const [input, ...cached] = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].map(
    (field) => usage[field],
  );
  const inputTokens = [input, ...cached].reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : 0), 0);
  const { total_cost_usd: costUsd } = result;
  return {
    ...(typeof input === 'number' ? { inputTokens } : {}),
    ...(typeof outputTokens === 'number' ? { outputTokens } : {}),
    ...(typeof costUsd === 'number' ? { costUsd } : {}),
  };
}

function bad(what: string): TroupeError {
  return new TroupeError('bad_model_answer', { what });
}
