import type { Unchecked } from '#core/graph/evidence.js';
import { formatDuration } from '#kernel/duration.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { redact } from '#kernel/secrets.js';
import { inert } from '#kernel/text.js';
import { type Finding, finding, type Severity } from './finding.js';
import type { RecognisedCommand, StepEvidence } from './plan.js';

/**
 * Messages of tools about something missing on this machine (a tool, a package, a toolchain), not about faulty code.
 */
const NOT_INSTALLED =
  /command not found|: not found$|\bENOENT\b.*spawn|is not recognized as an internal or external command|No module named|ERR_MODULE_NOT_FOUND|Cannot find (module|package) '[^.'/]|no matching package named|failed to (download|get `)|you may need to run .*cargo fetch|no such command: `\w+`|'cargo-\w+' is not installed|module lookup disabled by GOPROXY=off|missing go\.sum entry|cannot find module providing package|no required module provides package|Cannot access \S+ .* in offline mode|toolchain '.*' is not installed|rustup could not choose|requires rustc \d|go\.mod requires go >= |GOTOOLCHAIN|ERR_PNPM_NO_OFFLINE|Could not find .{1,200} in (locally installed gems|any of the sources)|Bundler::GemNotFound|vendor\/autoload\.php|A compatible \.NET SDK was not found|NETSDK\d+|MSB4236|JAVA_HOME|Unsupported class file major version|EBADENGINE|Unsupported engine/im;
/** Messages of tools that need the network, which a review does not provide. */
const NEEDS_NETWORK =
  /Internet access is disabled|no such host|name resolution|EAI_AGAIN|\bENOTFOUND\b|network is unreachable|Could not resolve host|Unable to load the service index|NU1301|Unable to update registry|Failed to establish a new connection|getaddrinfo|dial tcp|ENETUNREACH/im;

/**
 * Messages about a package installed on this machine: Python imported an installed copy or an older version of a
 * dependency, so the failure is not in the reviewed code.
 */
const INSTALLED_COPY = /cannot import name .{1,200}\([^)\n]{0,400}(site|dist)-packages/im;

const FAILED_SEVERITY: Readonly<Record<RecognisedCommand['kind'], Severity>> = {
  unit: 'high',
  test: 'high',
  typecheck: 'high',
  lint: 'medium',
};

const FAILURE_TITLES: Readonly<Record<RecognisedCommand['kind'], string>> = {
  unit: 'The unit tests fail',
  test: 'The tests fail',
  typecheck: 'The type check fails',
  lint: 'The linter fails',
};

export interface CommandEnd {
  readonly code: number | null;
  readonly end: 'exited' | 'timed-out' | 'stopped' | 'missing' | 'not-started';
  /** Redacted and sanitised. */
  readonly output: string;
  readonly timeMs: number;
}

/** Findings from the end of a command; empty on success. */
export function judgeCommand(command: RecognisedCommand, end: CommandEnd): Finding[] {
  const commandLine = [command.program, ...command.args].join(' ');
  if (end.end === 'missing' || end.end === 'not-started') {
    return [notRun(command, `${command.program} is not installed on this machine, or cannot be started.`)];
  }
  if (end.end === 'stopped') return [notRun(command, 'It was stopped from outside before it finished.')];
  if (end.end === 'timed-out') {
    return [
      finding(
        {
          severity: 'info',
          confidence: 'possible',
          title: `“${commandLine}” took longer than ${formatDuration(end.timeMs)} and was stopped`,
          detail: `It might have finished later. ${lastLines(end.output)}`.trim(),
          rule: 'command-timeout',
          remedy:
            end.timeMs < SURFACE_LIMITS.commandAllMs
              ? `Review again with \`--run all\`, which gives each check ${formatDuration(SURFACE_LIMITS.commandAllMs)}.`
              : `Run \`${commandLine}\` yourself; if it is slow, add a quicker script.`,
        },
        command.id,
      ),
    ];
  }
  if (end.code === 0) return [];
  if (NOT_INSTALLED.test(end.output))
    return [notRun(command, `It says that something is not installed here: ${lastLines(end.output)}`)];
  if (INSTALLED_COPY.test(end.output))
    return [notRun(command, `It used a package that is installed on this machine: ${lastLines(end.output)}`)];
  if (NEEDS_NETWORK.test(end.output))
    return [
      notRun(command, `It says that it needs the network, which a review does not give: ${lastLines(end.output)}`),
    ];
  return [
    finding(
      {
        severity: FAILED_SEVERITY[command.kind],
        title: `${FAILURE_TITLES[command.kind]}: “${commandLine}” ${end.code === null ? 'was ended by a signal' : `exits with ${end.code}`}`,
        detail: lastLines(end.output) || 'It printed nothing.',
        ...(command.folder === '' ? {} : { file: command.folder }),
        rule: `command-${command.kind}-failed`,
        remedy: `Run \`${commandLine}\` and fix the first problem it reports.`,
      },
      command.id,
    ),
  ];
}

/** Finding with the reason why a command was not run: its result is unknown. */
export function notRun(command: RecognisedCommand, why: string): Finding {
  const commandLine = [command.program, ...command.args].join(' ');
  return finding(
    {
      severity: 'info',
      title: `“${commandLine}” could not be run here`,
      detail: why,
      rule: 'command-not-run',
      remedy: `Run \`${command.install}\`, then review again.`,
    },
    command.id,
  );
}

/** Reason why a check has no result; undefined if it finished, and for steps that are not checks. */
export function uncheckedOf({
  exit_code: code,
  findings,
  facts,
}: StepEvidence): Exclude<Unchecked, 'skipped'> | undefined {
  const { end } = facts;
  if (end === 'timed-out' || end === 'stopped' || (end === 'exited' && code === null)) return 'cut-off';
  return findings.some(({ rule }) => rule === 'command-not-run') ? 'not-run' : undefined;
}

/** Last lines of the output, where tools print their errors. */
function lastLines(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-12).join('\n').slice(-1_200);
}

/** Output of a program for storage and display: redacted, sanitised, and shortened in the middle. */
export function excerpt(output: string, bytes: number = SURFACE_LIMITS.excerptBytes): string {
  const clean = inert(redact(withoutColour(output)).replace(/\r\n?/g, '\n'), true).trimEnd();
  if (clean.length <= bytes) return clean;
  const head = Math.floor(bytes / 4);
  const tail = bytes - head;
  return `${clean.slice(0, head)}\n… ${clean.length - bytes} characters left out …\n${clean.slice(-tail)}`;
}

/** Removes colour sequences instead of showing them as escapes. Other escapes stay, and `inert` makes them visible. */
function withoutColour(text: string): string {
  return text.replace(/\u001b\[[0-9;:]*m/g, '');
}
