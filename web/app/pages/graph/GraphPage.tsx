import { useEffect, useState } from 'react';
import type { PictureAnswer } from '#surfaces/http/contract.js';
import { pictureResource, useResource } from '../../data/resource.js';
import { Command } from '../../drawer/Command.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { GraphCanvas } from './GraphCanvas.js';
import { GraphTable } from './GraphTable.js';
import './graph.css';

const VIEWS = ['Graph', 'Table'] as const;
type View = (typeof VIEWS)[number];
const KEY = 'troupe-graph-view';

/** The work as layers left to right, or the same as a table. */
export default function GraphPage({ selected }: { readonly selected: string | undefined }) {
  const { answer, error } = useResource(pictureResource);
  const [view, setView] = useState<View>(() => (localStorage.getItem(KEY) === 'Table' ? 'Table' : 'Graph'));
  useEffect(() => localStorage.setItem(KEY, view), [view]);
  return (
    <div className="graph">
      <div className="graph-head">
        <h1>Graph</h1>
        {answer === undefined ? null : <p className="muted graph-size">{sizeOf(answer)}</p>}
        <fieldset className="views">
          <legend className="unseen">Shown as</legend>
          {VIEWS.map((name) => (
            <button key={name} type="button" aria-pressed={name === view} onClick={() => setView(name)}>
              {name}
            </button>
          ))}
        </fieldset>
      </div>
      {answer !== undefined ? (
        <Picture picture={answer} view={view} selected={selected} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : (
        <Skeleton rows={6} />
      )}
    </div>
  );
}

function Picture({
  picture,
  view,
  selected,
}: {
  readonly picture: PictureAnswer;
  readonly view: View;
  readonly selected: string | undefined;
}) {
  if (picture.tasks.length === 0) {
    return (
      <div className="empty empty-page">
        <p>No tasks yet. The graph of all tasks and what each waits for will stand here.</p>
        <Command text='troupe add "My first task" --exec "npm test"' />
      </div>
    );
  }
  return view === 'Graph' ? (
    <GraphCanvas tasks={picture.tasks} selected={selected} />
  ) : (
    <GraphTable tasks={picture.tasks} />
  );
}

function sizeOf({ total, left_out }: PictureAnswer): string {
  const tasks = `${total} ${total === 1 ? 'task' : 'tasks'}`;
  return left_out === 0 ? tasks : `${tasks}; the ${left_out} that finished longest ago are left out`;
}
