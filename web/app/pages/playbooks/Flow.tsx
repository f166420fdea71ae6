import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';

type Workflow = NonNullable<Answer<'playbook.show'>['workflow']>;
type Node = Workflow['nodes'][number];

const WIDTH = 208;
const HEIGHT = 64;
const GAP_X = 48;
const GAP_Y = 20;
/** Room above the steps for the ways back of loops. */
const LOOP_ROOM = 36;

const KIND_WORDS: Readonly<Record<string, string>> = {
  ...{ prompt: 'work', run: 'a command', peer_review: 'review', check: 'check', merge: 'merge', scribe: 'notes' },
  ...{ fan_out: 'side by side', fan_in: 'joined', serial: 'one after another', terminal: 'end' },
  coordinator_composed: 'divided when it starts',
};

/** The steps from left to right, in columns by what must end before; a loop is a way back with its most rounds. */
export function Flow({ nodes, loops }: { readonly nodes: readonly Node[]; readonly loops: Workflow['loops'] }) {
  const places = placesOf(nodes);
  const columns = 1 + Math.max(0, ...[...places.values()].map(({ column }) => column));
  const rows = 1 + Math.max(0, ...[...places.values()].map(({ row }) => row));
  const top = loops.length === 0 ? 0 : LOOP_ROOM;
  const size = { width: columns * (WIDTH + GAP_X) - GAP_X, height: top + rows * (HEIGHT + GAP_Y) - GAP_Y };
  const at = (id: string) => {
    const place = places.get(id);
    return place && { x: place.column * (WIDTH + GAP_X), y: top + place.row * (HEIGHT + GAP_Y) };
  };
  const forward = nodes.flatMap(({ id, after }) =>
    after.flatMap((before) => {
      const [from, to] = [at(before), at(id)];
      return from && to ? [{ key: `${before} ${id}`, path: edge(from, to) }] : [];
    }),
  );
  const back = loops.flatMap(({ from, to, max }) =>
    from.flatMap((gate) => {
      const [start, end] = [at(gate), at(to)];
      return start && end
        ? [{ key: `${gate} ${to}`, max, x: (start.x + end.x + WIDTH) / 2, path: wayBack(start, end) }]
        : [];
    }),
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="flow" tabIndex={0} aria-label="Steps">
      <div className="flow-room" style={size}>
        <svg className="flow-edges" width={size.width} height={size.height} aria-hidden="true">
          {forward.map(({ key, path }) => (
            <path key={key} d={path} />
          ))}
          {back.map(({ key, path, max, x }) => (
            <g key={key} className="flow-back">
              <path d={path} />
              <text x={x} y={12} textAnchor="middle">
                up to {max} rounds
              </text>
            </g>
          ))}
        </svg>
        <ol className="flow-steps">
          {nodes.map((node) => {
            const place = at(node.id);
            return (
              <li
                key={node.id}
                className={`flow-step is-${node.type.replaceAll('_', '-')}`}
                style={{ left: place?.x, top: place?.y, width: WIDTH, height: HEIGHT }}
              >
                <span className="flow-label" title={inert(node.label)}>
                  {inert(node.label)}
                </span>
                <span className="muted flow-who">
                  {KIND_WORDS[node.type] ?? node.type}
                  {node.archetypes[0] === undefined ? '' : ` · ${inert(node.archetypes[0]).replaceAll('-', ' ')}`}
                </span>
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}

interface Place {
  readonly column: number;
  readonly row: number;
}

/** Column: the longest way from the beginning. Row: the first free one of the column. */
function placesOf(nodes: readonly Node[]): Map<string, Place> {
  const places = new Map<string, Place>();
  const taken = new Map<number, number>();
  // The nodes come in an order in which each follows its predecessors.
  for (const { id, after } of nodes) {
    const column = 1 + Math.max(-1, ...after.map((before) => places.get(before)?.column ?? -1));
    const row = taken.get(column) ?? 0;
    taken.set(column, row + 1);
    places.set(id, { column, row });
  }
  return places;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function edge(from: Point, to: Point): string {
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
  const half = GAP_X / 2;
  return `M${x1} ${y1}C${x1 + half} ${y1} ${x2 - half} ${y2} ${x2} ${y2}`;
}

function wayBack(from: Point, to: Point): string {
  const [x1, x2, y] = [from.x + WIDTH / 2, to.x + WIDTH / 2, 18];
  return `M${x1} ${from.y}C${x1} ${y} ${x1} ${y} ${x1 - 16} ${y}H${x2 + 16}C${x2} ${y} ${x2} ${y} ${x2} ${to.y}`;
}
