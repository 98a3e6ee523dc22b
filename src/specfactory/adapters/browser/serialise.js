((most, unseen, turned, dropped) => {
  // The page is never changed: a custom element or an observer of its own would learn of it, and
  // could answer. Marks are written on a copy in a document that runs no scripts. Names are taken
  // from prototypes, for <input name=setAttribute> hides the form's own.
  const getter = (type, name) => {
    const read = Object.getOwnPropertyDescriptor(type.prototype, name).get;
    return (node) => read.call(node);
  };
  const method = (type, name) => (node, ...given) => type.prototype[name].apply(node, given);
  const childNodes = getter(Node, 'childNodes'), shadowOf = getter(Element, 'shadowRoot');
  const tagOf = getter(Element, 'localName'), wordsOf = getter(CharacterData, 'data');
  const before = getter(Element, 'previousElementSibling');
  const behind = getter(Element, 'nextElementSibling'), markup = getter(Element, 'outerHTML');
  const assigned = method(HTMLSlotElement, 'assignedNodes');
  const boxOf = method(Element, 'getBoundingClientRect');
  const hasAttribute = method(Element, 'hasAttribute');
  const setAttribute = method(Element, 'setAttribute');
  const removeAttribute = method(Element, 'removeAttribute');
  const append = method(Node, 'appendChild'), importNode = method(Document, 'importNode');

  // What a person sees: the contents of open shadow roots stand where they are shown.
  const inside = (node) => {
    const shadow = shadowOf(node);
    if (shadow) return childNodes(shadow);
    const shown = node instanceof HTMLSlotElement ? assigned(node) : [];
    return shown.length ? shown : childNodes(node);
  };

  const FAR = 600, FAINT = 0.04, TINY_FONT = 2, TINY_BOX = 1.5, NEAR = 24;
  const MOST_NODES = 60000, MOST_MS = 1500;
  const SKIPPED = new Set(dropped);
  const numbers = (words) => (words.match(/-?[\d.]+(e-?\d+)?/g) || []).map(Number);
  const isNone = (words) => !words || words === 'none';
  // What moves or stands beside something to press may be shown later: in doubt.
  const maybe = (node, style) => {
    const moves = numbers(style.transitionDuration).some((time) => time > 0);
    const pressed = (one) => one && getComputedStyle(one).cursor === 'pointer';
    return moves || !isNone(style.animationName) || pressed(before(node)) || pressed(behind(node));
  };
  const isClipped = (node, style) => {
    const [top, right, bottom, left] = numbers(style.clip);
    if (/^(absolute|fixed)$/.test(style.position) && (bottom - top <= 1 || right - left <= 1)) {
      return true;
    }
    const [, shape, given] = /^([a-z]+)\((.*)\)/.exec(style.clipPath) || [];
    if (shape === 'inset') {
      const box = boxOf(node), sides = given.split(' round ')[0].split(' ');
      const side = (at, size) => {
        const words = sides[at] ?? sides[at - 2] ?? sides[0];
        return parseFloat(words) / (words.endsWith('%') ? 100 : size || Infinity);
      };
      const high = side(0, box.height) + side(2, box.height);
      return high >= 0.98 || side(1, box.width) + side(3, box.width) >= 0.98;
    }
    const points = numbers(given || '');
    if (shape === 'circle' || shape === 'ellipse') return points[0] === 0 || points[1] === 0;
    const wide = points.filter((_, at) => at % 2 === 0), high = points.filter((_, at) => at % 2);
    const flat = (some) => Math.max(...some) - Math.min(...some) <= 1;
    return shape === 'polygon' && points.length > 0 && (flat(wide) || flat(high));
  };
  const isShrunk = (node, style, displayed) => {
    if (style.display === 'inline') return false;
    const box = displayed ? boxOf(node) : null;
    const tiny = (overflow, size, ...said) => /hidden|clip/.test(overflow) && (
      box ? box[size] <= TINY_BOX : said.some((words) => parseFloat(words) <= TINY_BOX));
    return tiny(style.overflowY, 'height', style.height, style.maxHeight)
      || tiny(style.overflowX, 'width', style.width, style.maxWidth);
  };
  const hidesBox = (node, style, opacity, displayed) => {
    if (style.display === 'none' || style.contentVisibility === 'hidden') return 'not displayed';
    const faded = /opacity\(([\d.]+)\)/.exec(style.filter);
    if (opacity <= FAINT || (faded && faded[1] <= FAINT)) return 'transparent';
    if (isClipped(node, style)) return 'clipped';
    if (isShrunk(node, style, displayed)) return 'of no size';
    const away = ['left', 'top', 'right', 'bottom', 'marginLeft', 'marginTop', 'textIndent'];
    const isAway = !displayed && away.some((name) => parseFloat(style[name]) <= -FAR);
    return isAway ? 'off the page' : '';
  };
  const color = (words) => {
    const [red, green, blue, share = 1] = numbers(words);
    return /^rgb/.test(words) ? [red, green, blue, share] : null;
  };
  // The plain colour behind letters; null where it is not known.
  const paint = (style, around) => {
    if (!isNone(style.backgroundImage)) return null;
    const own = color(style.backgroundColor);
    if (!own) return null;
    return own[3] > 0.5 ? own : own[3] > FAINT ? null : around;
  };
  const lettersWay = (style, back) => {
    if (style.visibility !== 'visible') return 'invisible';
    if (parseFloat(style.fontSize) <= TINY_FONT) return 'tiny';
    const ink = color(style.webkitTextFillColor);
    if (!ink || /text/.test(style.webkitBackgroundClip)) return '';
    const apart = back ? [0, 1, 2].reduce((sum, at) => sum + Math.abs(ink[at] - back[at]), 0) : 999;
    return ink[3] <= FAINT || apart <= NEAR ? 'in no colour' : '';
  };
  const range = method(Document, 'createRange')(document);
  const viewport = getComputedStyle(method(Document, 'querySelector')(document, ':root'));
  const widest = /hidden|clip/.test(viewport.overflowX) ? innerWidth : innerWidth + 4 * FAR;
  // Where words stand: 'tiny', 'off the page', '' for somewhere on it.
  const placeWay = (text) => {
    range.selectNodeContents(text);
    let way = '';
    for (const box of range.getClientRects()) {
      const off = box.right + scrollX <= 0 || box.bottom + scrollY <= 0 || box.left >= widest;
      if (!off && box.width > TINY_BOX && box.height > TINY_BOX) return '';
      way = off ? 'off the page' : way || 'tiny';
    }
    return way;
  };

  // One element: what it takes over from the one around it, and what is new.
  const look = (node, up) => {
    const style = getComputedStyle(node), tag = tagOf(node);
    const opacity = up.opacity * style.opacity;
    const box = hidesBox(node, style, opacity, up.displayed);
    const back = paint(style, up.back), moved = style.position !== 'static';
    const stacked = up.stacked || (moved && tag !== 'body');
    let letters = lettersWay(style, back);
    if (letters && letters === up.letters.replace('?', '')) letters = up.letters;
    else if (letters === 'in no colour') letters += stacked || !isNone(style.textShadow) ? '?' : '';
    else if (letters && maybe(node, style)) letters += '?';
    const closed = (tag === 'details' && !hasAttribute(node, 'open')) || tag === 'select';
    const slides = up.slides || (/hidden|clip|auto|scroll/.test(style.overflowX) && tag !== 'body');
    return {
      node, up, box: box && maybe(node, style) ? box + '?' : box, letters, back, stacked,
      turns: /override/.test(style.unicodeBidi), opacity: box ? 1 : opacity, displayed: up.displayed && !box && !closed,
      slides, holds: moved || !isNone(style.transform), own: undefined, all: undefined,
    };
  };
  const lookAll = (root) => {
    const start = { opacity: 1, displayed: true, letters: '', back: [255, 255, 255, 1] };
    const found = [], waiting = [[root, start]], until = performance.now() + MOST_MS;
    let nodes = 0;
    while (waiting.length) {
      const [node, up] = waiting.pop();
      const one = look(node, up), below = [];
      if (up === start) one.letters = '';  // the root's mark says that there are marks
      found.push(one);
      for (const child of inside(node)) {
        nodes += 1;  // a busy machine must not cost a small page its marks
        const late = nodes % 1000 === 0 && performance.now() > until;
        if (late || nodes > MOST_NODES) return [];
        if (child instanceof Element) {
          if (!SKIPPED.has(tagOf(child))) below.push([child, one]);
        } else if (one.displayed && !one.letters && child instanceof Text
            && /\S/.test(wordsOf(child)) && one.own !== '') {
          one.own = placeWay(child);
        }
      }
      for (const pair of below.reverse()) waiting.push(pair);
    }
    return found;
  };
  const findMarks = (root) => {
    const marks = { unseen: new Map(), turned: new Set() }, found = lookAll(root);
    // A page that shows no word is not ready: what its browser computed says nothing.
    if (!found.some((one) => one.own === '')) return null;
    for (const one of [...found].reverse()) {  // words beside the page: the box that holds them
      one.all = one.own === '' || one.all === '' ? '' : one.own || one.all;
      one.away = one.all && one.up.slides ? one.all + '?' : one.all;
      const up = one.up;
      if (one.all === undefined || (one.all && one.holds)) continue;
      up.all = up.all === undefined || up.all ? one.all : '';
    }
    for (const one of found) {
      const { up, letters } = one, outside = up.force || '';
      const wanted = one.all ? one.away : one.own;
      one.force = one.box || wanted === undefined ? outside : wanted;
      if (one.box) marks.unseen.set(one.node, one.box);
      else if (letters !== up.letters) marks.unseen.set(one.node, letters);
      else if (!one.force !== !outside && !letters) marks.unseen.set(one.node, one.force);
      if (one.turns) marks.turned.add(one.node);
    }
    marks.unseen.set(root, '');
    return marks;
  };

  const inert = method(DOMImplementation, 'createHTMLDocument')(
    getter(Document, 'implementation')(document), '');
  const copyOf = (node, marks) => {
    const twin = importNode(inert, node, node instanceof HTMLTemplateElement);
    if (!(node instanceof Element)) return twin;
    removeAttribute(twin, unseen);
    removeAttribute(twin, turned);
    if (marks?.unseen.has(node)) setAttribute(twin, unseen, marks.unseen.get(node));
    if (marks?.turned.has(node)) setAttribute(twin, turned, '');
    return twin;
  };
  const copyAll = (root, marks) => {
    const top = copyOf(root, marks), waiting = [[root, top]];
    while (waiting.length) {
      const [node, twin] = waiting.pop();
      for (const child of inside(node)) {
        const isElement = child instanceof Element;
        if (isElement && tagOf(child) === 'noscript') continue;  // for browsers without scripts
        const own = append(twin, copyOf(child, marks));
        if (isElement && !(child instanceof HTMLTemplateElement)) waiting.push([child, own]);
      }
    }
    return top;
  };

  if (!/^https?:$/.test(location.protocol)) return '';
  const top = [...childNodes(document)];
  const root = top.find((node) => node instanceof Element);
  const type = top.find((node) => node instanceof DocumentType);
  let marks = null;
  try {
    if (root) marks = findMarks(root);
  } catch {}  // the page is read as one that no browser rendered
  const written = root ? markup(copyAll(root, marks)) : '';
  return ((type ? `<!DOCTYPE ${type.name}>` : '') + written).slice(0, most);
})
