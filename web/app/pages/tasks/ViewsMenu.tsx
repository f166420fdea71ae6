import { Content, Item, Portal, Root, Separator, Trigger } from '@radix-ui/react-dropdown-menu';
import { type FormEvent, useState } from 'react';
import { addressOf, useRoute } from '../../data/route.js';
import { useStore } from '../../data/store.js';
import { Dialog } from '../../shell/Dialog.js';
import { dropView, savedViews, saveView } from './views.js';

/** Views that were saved in this browser: a name for an address. */
export function ViewsMenu() {
  const views = useStore(savedViews);
  const { task: _, ...route } = useRoute();
  const here = addressOf(route);
  const current = views.find(({ address }) => address === here);
  const [naming, setNaming] = useState(false);
  return (
    <>
      <Root modal={false}>
        <Trigger className={current === undefined ? 'choice' : 'choice is-picked'}>
          {current?.name ?? 'Views'} <span aria-hidden="true">▾</span>
        </Trigger>
        <Portal>
          <Content className="menu" align="end" sideOffset={4} collisionPadding={8}>
            {views.map(({ name, address }) => (
              <Item key={name} className="menu-item" onSelect={() => window.location.assign(address)}>
                <span className="menu-label">{name}</span>
              </Item>
            ))}
            {views.length === 0 ? null : <Separator className="menu-line" />}
            <Item className="menu-item" onSelect={() => setNaming(true)}>
              Save this view…
            </Item>
            {current === undefined ? null : (
              <Item className="menu-item" onSelect={() => dropView(current.name)}>
                Forget “{current.name}”
              </Item>
            )}
          </Content>
        </Portal>
      </Root>
      {naming ? <NameDialog address={here} onClose={() => setNaming(false)} /> : null}
    </>
  );
}

function NameDialog({ address, onClose }: { readonly address: string; onClose(): void }) {
  const [name, setName] = useState('');
  const save = (event: FormEvent) => {
    event.preventDefault();
    saveView(name.trim(), address);
    onClose();
  };
  return (
    <Dialog label="Save this view" className="form-dialog" onClose={onClose}>
      <form onSubmit={save}>
        <h2>Save this view</h2>
        <label className="field">
          Name
          <input autoFocus maxLength={60} value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <p className="muted">Filters, sorting and groups are kept in this browser under that name.</p>
        <div className="buttons">
          <button type="submit" className="primary" disabled={name.trim() === ''}>
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
