/** Runs before the first paint: applies the chosen colours, and shows elements that need scripts. */
{
  const root = document.documentElement;
  root.dataset.scripts = 'on';
  try {
    const chosen = localStorage.getItem('holdfast.docs.theme');
    if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;
  } catch {
    // no storage: the colours of the system
  }
}
