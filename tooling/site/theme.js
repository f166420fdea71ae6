// Before the page is drawn: the theme that was chosen earlier.
(() => {
  try {
    const chosen = localStorage.getItem('theme');
    if (chosen) document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage may be refused; then the theme of the system holds.
  }
})();
