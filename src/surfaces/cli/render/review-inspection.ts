import { SEVERITIES } from '#core/review/finding.js';
import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';

/** What a step saw; this is also what the log of its task holds. */
export const render: Renderer<'review.inspect'> = (seen, screen) => {
  const { colour } = screen;
  screen.line(colour.bold(inert(seen.title)));
  screen.line(colour.dim(`$ ${inert(seen.command)}`));
  for (const line of inert(seen.output_excerpt, true).split('\n')) screen.line(line);
  const counted = SEVERITIES.filter((severity) => seen.counts[severity] > 0).map(
    (severity) => `${seen.counts[severity]} ${severity}`,
  );
  const exit = seen.exit_code === null ? 'no exit code' : `exit ${seen.exit_code}`;
  screen.line(
    `${exit}, ${formatDuration(seen.duration_ms)}, ${counted.length === 0 ? 'no findings' : `findings: ${counted.join(', ')}`}`,
  );
  screen.aside(colour.dim(`Evidence: ${inert(seen.evidence)}`));
};
