// Runs before the first paint, so that a dark room never sees a white flash. The app takes over from here.
(() => {
  const chosen = localStorage.getItem('troupe-theme');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
