import { useRoute } from '../../data/route.js';
import { newTask } from '../../data/task-form.js';
import { useRefusal } from '../../data/visitor.js';
import { queryOf } from './query.js';

/** No tasks at all, or none that meet the filters. */
export function Empty({ what }: { readonly what: string }) {
  const { filters } = useRoute();
  const mayAdd = useRefusal() === undefined;
  if (Object.keys(queryOf(filters)).length > 0) return <p className="muted tasks-none">No task meets these filters.</p>;
  return (
    <div className="empty empty-page tasks-none">
      <p>No tasks yet. {what} will appear here.</p>
      {mayAdd ? (
        <div className="buttons">
          <button type="button" className="primary" onClick={newTask}>
            Add the first task
          </button>
        </div>
      ) : null}
    </div>
  );
}
