/** Runs before anything is drawn: the colours that were chosen here, and what is shown only where scripts run. */
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
