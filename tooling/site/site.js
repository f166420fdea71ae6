// Search, the choice of a theme, the menu of narrow screens, and copying of commands.
(() => {
  const MOST = 12;
  const SNIPPET = 120;
  const { SECTIONS, MiniSearch } = self;
  const up = document.body.dataset.up;
  const input = document.querySelector('.search input');
  const results = document.querySelector('#results');

  let index;
  /** The index is made when somebody first searches. */
  function searched(words) {
    if (!index) {
      index = new MiniSearch({ fields: ['title', 'page', 'text'], storeFields: ['title', 'page', 'url', 'text'] });
      index.addAll(SECTIONS.map((section, id) => ({ id, ...section })));
    }
    const options = { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } };
    return index.search(words, options).slice(0, MOST);
  }

  function snippet(text, terms) {
    const lower = text.toLowerCase();
    const at = Math.max(
      0,
      Math.min(...terms.map((term) => lower.indexOf(term)).filter((found) => found >= 0), text.length),
    );
    const start = at === text.length ? 0 : Math.max(0, at - 40);
    return `${start > 0 ? '…' : ''}${text.slice(start, start + SNIPPET)}${text.length > start + SNIPPET ? '…' : ''}`;
  }

  const element = (name, text, className) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  function show() {
    const words = input.value.trim();
    results.hidden = words === '';
    if (words === '') return;
    const found = searched(words);
    results.replaceChildren(
      ...found.map(({ title, page, url, text, terms }) => {
        const link = document.createElement('a');
        link.href = `${up}/${url}`;
        link.append(
          element('strong', title),
          element('small', page === title ? '' : page),
          element('span', snippet(text, terms)),
        );
        const item = document.createElement('li');
        item.append(link);
        return item;
      }),
    );
    if (found.length === 0) results.append(element('li', 'Nothing found', 'none'));
  }

  function close() {
    results.hidden = true;
    input.blur();
  }

  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  document.querySelector('.search').addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && at === -1) links[0]?.click();
    else if (event.key === 'ArrowDown') (links[at + 1] ?? links[0])?.focus();
    else if (event.key === 'ArrowUp') (links[at - 1] ?? input).focus();
    else return;
    event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    if (!event.target.closest('.search')) results.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    const types = event.target.matches('input, textarea');
    if ((event.key === '/' && !types) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      input.focus();
    }
  });

  const root = document.documentElement;
  document.querySelector('.theme').addEventListener('click', () => {
    const isDark = root.dataset.theme
      ? root.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', root.dataset.theme);
    } catch {
      // It holds for this page then.
    }
  });

  const menu = document.querySelector('.menu');
  menu.addEventListener('click', () => {
    const isOpen = document.body.classList.toggle('open');
    menu.setAttribute('aria-expanded', String(isOpen));
  });

  for (const block of document.querySelectorAll('pre[data-copy]')) {
    const button = element('button', 'Copy', 'copy');
    button.type = 'button';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 1500);
    });
    const frame = element('div', '', 'block');
    block.replaceWith(frame);
    frame.append(block, button);
  }
  document.querySelector('#nav [aria-current]')?.scrollIntoView({ block: 'nearest' });
})();
