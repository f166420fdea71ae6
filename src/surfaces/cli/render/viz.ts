import { SHOWN_STATES, type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
import { drawGraph } from '#core/insight/draw-graph.js';
import { drawTree } from '#core/insight/draw-tree.js';
import { glyphsFor } from '#core/insight/glyphs.js';
import { inReadingOrder, type Line, type Segment } from '#core/insight/picture.js';
import { dotText, mermaidText } from '#core/insight/text-formats.js';
import { cellsOf } from '#kernel/cells.js';
import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';
import { paintState } from '#surfaces/cli/status-mark.js';
import { NO_LIMIT } from '#surfaces/cli/terminal.js';

type Drawn = AnswerOf<'graph.viz'>;

/** Line width if the output is not a terminal. */
const PIPED_WIDTH = 100;
const LEGEND_GAP = 3;

function nothing({ total, hidden: { finished, internal } }: Drawn): string {
  if (total === 0) return 'No tasks yet. Add one with `troupe add "Title"`, or run a review with `troupe run`.';
  if (finished > 0 && finished + internal >= total)
    return `Everything is finished: ${plural(finished, 'finished task')}. See them with \`troupe viz --all\`.`;
  return `None of the ${total} tasks match.${finished === 0 ? '' : ` ${plural(finished, 'finished task')} left out: \`--all\` includes them.`}`;
}

function painted(line: Line, screen: Screen): string {
  const last = line.findLastIndex((segment) => segment.text.trim() !== '');
  return line
    .slice(0, last + 1)
    .map((segment, index) => paint(index === last ? { ...segment, text: segment.text.trimEnd() } : segment, screen))
    .join('');
}

function paint({ text, tone }: Segment, screen: Screen): string {
  const { colour } = screen;
  switch (tone) {
    case undefined:
    case 'title':
      return text;
    case 'line':
    case 'note':
      return colour.dim(text);
    case 'return':
      return colour.magenta(text);
    case 'critical':
      return colour.bold(text);
    default:
      return paintState(text, tone, screen);
  }
}

/** Legend: the number of tasks per state, which explains every mark, then marked and hidden parts. */
function legend({ form, nodes, hidden, critical_path: path, edges }: Drawn, screen: Screen, width: number): string[] {
  const counts = new Map<ShownState, number>();
  for (const { state } of nodes) counts.set(state, (counts.get(state) ?? 0) + 1);
  const glyphs = glyphsFor(screen.unicode);
  const strong = form === 'graph' ? glyphs.strongBox.flat.repeat(2) : glyphs.star;
  const parts: Segment[] = SHOWN_STATES.filter((state) => counts.has(state)).map((state) => {
    const look = STATUS_LOOK[state];
    return { text: `${screen.unicode ? look.glyph : look.ascii} ${counts.get(state)} ${look.word}`, tone: state };
  });
  const say = (text: string) => parts.push({ text, tone: 'note' });
  if (path !== undefined) say(`${strong} critical path: ${plural(path.length, 'task')}`);
  if (edges.some((edge) => edge.back)) say(`${glyphs.loop} repeats`);
  if (hidden.finished > 0) say(`${plural(hidden.finished, 'finished task')} hidden (--all)`);
  if (hidden.internal > 0) say(`${plural(hidden.internal, 'internal task')} hidden (--show-internal)`);
  const lines: { text: string; used: number }[] = [];
  for (const part of parts) {
    const cells = cellsOf(part.text);
    const last = lines.at(-1);
    if (last && last.used + LEGEND_GAP + cells <= width) {
      last.text += ' '.repeat(LEGEND_GAP) + paint(part, screen);
      last.used += LEGEND_GAP + cells;
    } else lines.push({ text: paint(part, screen), used: cells });
  }
  return lines.map((line) => line.text);
}

export const renderers = {
  /** Prints the answer of `viz`: a drawing, with its legend on stderr, or text for another program. */
  'graph.viz': (drawn, screen) => {
    if (drawn.file !== undefined)
      return screen.line(`Wrote ${inert(drawn.file)}: ${plural(drawn.nodes.length, 'task')}.`);
    const picture = inReadingOrder(drawn);
    if (drawn.form === 'dot' || drawn.form === 'mermaid')
      return screen.line((drawn.form === 'dot' ? dotText(picture) : mermaidText(picture)).trimEnd());
    if (drawn.nodes.length === 0) screen.line(nothing(drawn));
    else {
      const options = { width: screen.width < NO_LIMIT ? screen.width : PIPED_WIDTH, unicode: screen.unicode };
      const lines = drawn.form === 'graph' ? drawGraph(picture, options) : drawTree(picture, options);
      // One write: thousands of small writes to a terminal cost more than the whole drawing.
      screen.line(lines.map((line) => painted(line, screen)).join('\n'));
      screen.aside('');
      for (const line of legend(drawn, screen, options.width)) screen.aside(line);
    }
  },
} satisfies Partial<Renderers>;
