// Runs before the first paint, so that a page in dark colours never flashes white. The app takes over afterwards.
(() => {
  const chosen = localStorage.getItem('troupe-theme');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
