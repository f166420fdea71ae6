import { inert } from '#kernel/text.js';
import { useResource } from '../../data/resource.js';
import { archetypes } from './resources.js';

/** Everybody one can cast, by domain, with a tick each. */
export function Ticks({
  ticked,
  onChange,
}: {
  readonly ticked: ReadonlySet<string>;
  onChange(next: ReadonlySet<string>): void;
}) {
  const entries = useResource(archetypes).answer?.entries ?? [];
  const domains = [...new Set(entries.map((entry) => entry.domain))];
  const toggle = (id: string) => {
    const next = new Set(ticked);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <div className="ticks">
      {domains.map((domain) => (
        <fieldset key={domain}>
          <legend>{inert(domain)}</legend>
          {entries
            .filter((entry) => entry.domain === domain)
            .map((entry) => (
              <label key={entry.id} title={inert(entry.summary)}>
                <input type="checkbox" checked={ticked.has(entry.id)} onChange={() => toggle(entry.id)} />
                {inert(entry.title)}
              </label>
            ))}
        </fieldset>
      ))}
    </div>
  );
}
