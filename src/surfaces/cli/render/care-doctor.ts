import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Screen } from '../screen.js';

const SHOWN_MOST = 100;

/** What was put right, then each finding with what to do, the worst first. */
export function render({ folder, findings, repaired }: AnswerOf<'project.doctor'>, screen: Screen): void {
  const { colour } = screen;
  for (const deed of repaired) screen.line(`${colour.green('repaired')}  ${inert(deed)}`);
  const rank = { error: 0, warning: 1, note: 2 } as const;
  const sorted = [...findings].sort((left, right) => rank[left.severity] - rank[right.severity]);
  const paint = { error: colour.red, warning: colour.yellow, note: colour.dim } as const;
  for (const { severity, code, text, remedy, file, line } of sorted.slice(0, SHOWN_MOST)) {
    const place = file === undefined ? '' : ` ${inert(file)}${line === undefined ? '' : `:${line}`}`;
    screen.line(`${paint[severity](severity)}  ${code}${colour.dim(place)}`);
    screen.line(`  ${inert(text)}`);
    screen.line(colour.dim(`  ${inert(remedy)}`));
  }
  if (sorted.length > SHOWN_MOST) screen.line(`… and ${sorted.length - SHOWN_MOST} more; see them all with --json.`);
  const errors = findings.filter((finding) => finding.severity === 'error').length;
  const repairable = findings.filter((finding) => finding.repairable).length;
  if (findings.length === 0) screen.line(`The graph in ${inert(folder)} is sound: log and snapshot agree.`);
  else {
    screen.line();
    screen.line(
      `${plural(errors, 'error')}, ${plural(findings.length - errors, 'other finding')}.` +
        (repairable > 0 ? ' Run `troupe doctor --repair` to put right what can be proved.' : ''),
    );
  }
}
