((subjects, choices) => {
  const LITTLE = 2500, SHORT = 60, MOST = 20000, DEPTH = 5;
  const roots = [document], wide = innerWidth / 2, high = innerHeight / 2;
  const collect = (root, depth) => {
    if (depth > DEPTH || root.querySelectorAll('*').length > MOST) return;
    for (const host of root.querySelectorAll('*')) {
      if (host.shadowRoot) { roots.push(host.shadowRoot); collect(host.shadowRoot, depth + 1); }
    }
  };
  collect(document, 0);
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const up = (node) => node.parentElement || (node.getRootNode() || {}).host || null;
  const plain = (text) => (text || '').replace(/\s+/g, ' ').trim().toLowerCase().replace('’', "'");
  const shown = (node) => {
    const box = node.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(node).visibility !== 'hidden';
  };
  const within = (node, outer) => {
    for (let at = node; at; at = up(at)) if (at === outer) return true;
    return false;
  };
  const overlay = (node) => {
    for (let at = node; at; at = up(at)) {
      if (getComputedStyle(at).position === 'fixed') return at;
    }
    return null;
  };
  let middle = document.elementFromPoint(wide, high);
  while (middle && middle.shadowRoot) {
    const inner = middle.shadowRoot.elementFromPoint(wide, high);
    if (!inner || inner === middle) break;
    middle = inner;
  }
  const fills = (node) => {
    const box = node.getBoundingClientRect();
    return box.width * box.height > 0.8 * innerWidth * innerHeight;
  };
  const locked = [document.documentElement, document.body].some((node) =>
    node && /hidden|clip/.test(getComputedStyle(node).overflowY));
  const covers = (wall) => {
    if (wall === document.body) return plain(wall.innerText).length < LITTLE;
    if (middle && within(middle, wall)) return true;
    const above = middle && overlay(middle);
    return Boolean((above && fills(above)) || locked);
  };
  const about = (wall) => {
    const text = plain(wall.innerText || wall.textContent).slice(0, 5000);
    return subjects.some((word) => text.includes(word));
  };
  const letter = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;
  const says = (text, phrase) => {
    const at = text.indexOf(phrase);
    if (at < 0 || text.length > SHORT) return false;
    if (!letter.test(phrase)) return true;
    return !letter.test(text[at - 1] || '') && !letter.test(text[at + phrase.length] || '');
  };
  const goes = (node) => {
    const to = node.tagName === 'A' ? node.getAttribute('href') || '' : '';
    return to !== '' && !/^(#|javascript:)/i.test(to.trim());
  };
  const buttons = 'button, [role=button], a, input[type=button], input[type=submit]';
  const named = '[id*=cookie i], [class*=cookie i], [id*=consent i], [class*=consent i], '
    + '[id*=gdpr i], [class*=gdpr i], [id*=privacy i], [class*=privacy i]';
  const wallOf = (node) => {
    let wall = null;
    for (let at = up(node); at; at = up(at)) {
      if (at === document.body || at === document.documentElement) break;
      if (at.matches('[role=dialog], [role=alertdialog], dialog, [aria-modal=true]')
        || at.matches(named) || getComputedStyle(at).position === 'fixed') wall = at;
    }
    return wall || document.body;
  };
  const near = (node) => {
    let at = node;
    for (let steps = 0; steps < 4 && at !== document.body && up(at); steps++) at = up(at);
    return at;
  };
  const press = (node) => { node.click(); return true; };
  for (const { makers, phrases } of choices) {
    for (const node of all(makers.join(', '))) {
      if (shown(node) && covers(wallOf(node))) return press(node);
    }
    for (const node of all(buttons).slice(0, 2000)) {
      const text = plain(node.innerText || node.value || node.getAttribute('aria-label'));
      if (!text || !phrases.some((phrase) => says(text, phrase)) || !shown(node)) continue;
      const wall = wallOf(node);
      if (!goes(node) && about(wall === document.body ? near(node) : wall) && covers(wall)) {
        return press(node);
      }
    }
  }
  return false;
})(%s, %s)
