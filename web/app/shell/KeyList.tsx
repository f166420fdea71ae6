import { Dialog } from './Dialog.js';
import { KEY_LIST } from './keys.js';

export function KeyList({ onClose }: { onClose(): void }) {
  return (
    <Dialog label="Keys" className="keys-dialog" onClose={onClose}>
      <h2>Keys</h2>
      <dl>
        {KEY_LIST.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
                <kbd key={index}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
