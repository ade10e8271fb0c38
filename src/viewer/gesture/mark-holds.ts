import { type MarkPoint, widthsBetween } from '../scene/measure.ts';
import type { Mark } from '../scene/scene.ts';
import { type Hold, insideImage, type Press, strayed } from './hold.ts';
import { type MarkHit, markAt } from './mark-hit.ts';
import { newId } from './new-id.ts';
import type { Draft, SketchBook } from './sketch.ts';
import { type GestureTarget, imagePointAt, type Subject } from './target.ts';

/** CSS pixels within which a handle is taken: a finger is broader than a pointer. */
const mouseReach = 9;
const touchReach = 22;
/** As many as the archive keeps for an image. */
const mostMarks = 200;

export type MarkTool = Draft['kind'];

const pointsOf: Readonly<Record<MarkTool, number>> = { length: 2, calibrate: 2, angle: 3 };

const withPoint = (mark: Mark, index: number, point: MarkPoint): Mark => {
  const at = (place: number, own: MarkPoint): MarkPoint => (place === index ? point : own);
  return mark.kind === 'length'
    ? { ...mark, points: [at(0, mark.points[0]), at(1, mark.points[1])] }
    : { ...mark, points: [at(0, mark.points[0]), at(1, mark.points[1]), at(2, mark.points[2])] };
};

const finish = (target: GestureTarget, book: SketchBook, draft: Draft): void => {
  const subject = target.subject(draft.imageId);
  const [first, second, third] = draft.points;
  if (!subject || !first || !second) {
    book.draw({ draft: null });
    return;
  }
  const { id, image, marks } = subject;
  if (draft.kind === 'calibrate') {
    book.draw({ draft: { ...draft, done: true } });
    const lengthPixels = widthsBetween(first, second, image.pixelAspect);
    target.emit({ type: 'calibration.drawn', id, lengthPixels });
    return;
  }
  const { frame } = image;
  // In the order of the contract: whoever compares marks by their text finds them the same when they come back.
  const mark: Mark =
    draft.kind === 'angle' && third
      ? { id: newId(), kind: 'angle', frame, points: [first, second, third] }
      : { id: newId(), kind: 'length', frame, points: [first, second] };
  book.draw({ draft: null, chosen: { imageId: id, markId: mark.id } });
  target.mark(id, [...marks, mark], true);
};

/** The last point of what is being drawn goes to a point of the stage. */
export const followDraft = (target: GestureTarget, book: SketchBook, point: { x: number; y: number }): void => {
  const { draft } = book.now();
  const subject = draft && !draft.done ? target.subject(draft.imageId) : null;
  if (!draft || !subject) return;
  const last = insideImage(imagePointAt(subject, point), subject.image);
  book.draw({ draft: { ...draft, points: [...draft.points.slice(0, -1), last] } });
};

/** Whether the last two points lie where a hand could not tell them apart: a click twice at one place is one click. */
const isBarelyMoved = ({ points }: Draft, subject: Subject, ratio: number): boolean => {
  const [before, last] = points.slice(-2);
  if (!before || !last) return true;
  return Math.hypot(last[0] - before[0], last[1] - before[1]) * subject.camera.scale < 3 * ratio;
};

/** One point of a line: by click or by drag, as one likes; the last point follows in between. */
const drawHold = (press: Press, subject: Subject, tool: MarkTool): Hold => {
  const { target, book, start } = press;
  const { draft } = book.now();
  const continues = draft && !draft.done && draft.imageId === subject.id && draft.kind === tool;
  if (continues) followDraft(target, book, start);
  else if (tool !== 'calibrate' && subject.marks.length >= mostMarks) return handleHold(press, subject, null);
  else {
    const first = insideImage(imagePointAt(subject, start), subject.image);
    book.draw({ chosen: null, draft: { imageId: subject.id, kind: tool, points: [first, first], done: false } });
  }
  let dragged = false;
  const placed = () => {
    const now = book.now().draft;
    if (!now || now.done || (!continues && !dragged)) return;
    if (isBarelyMoved(now, target.subject(now.imageId) ?? subject, target.pixelRatio())) return;
    const last = now.points.at(-1);
    if (now.points.length >= pointsOf[tool]) finish(target, book, now);
    else if (last) book.draw({ draft: { ...now, points: [...now.points, last] } });
  };
  return {
    image: () => null,
    board: () => false,
    moved: (point) => {
      dragged ||= strayed(press, point);
      if (dragged) followDraft(target, book, point);
    },
    lifted: placed,
    // A second finger came: it wants to enlarge, not to measure.
    dropped: () => {
      if (!continues) book.draw({ draft: null });
    },
  };
};

/** A handle that is dragged; chosen by it. */
const handleHold = (press: Press, subject: Subject, hit: MarkHit | null): Hold => {
  const { target, book } = press;
  const { id } = subject;
  let begun = false;
  book.draw({ chosen: hit && { imageId: id, markId: hit.mark.id }, draft: null });
  const settle = () => {
    const now = target.subject(id);
    if (begun && now) target.mark(id, now.marks, true);
    begun = false;
  };
  return {
    image: () => (begun ? id : null),
    board: () => false,
    moved: (point) => {
      const now = target.subject(id);
      const handle = hit?.handle ?? null;
      if (!hit || handle === null || !now || !(begun || strayed(press, point))) return;
      begun = true;
      const to = insideImage(imagePointAt(now, point), now.image);
      const marks = now.marks.map((mark) => (mark.id === hit.mark.id ? withPoint(mark, handle, to) : mark));
      target.mark(id, marks, false);
    },
    lifted: settle,
    dropped: settle,
  };
};

/** A line that is pressed: chosen by a click, left in peace by a drag, which draws another one from there. */
const lineHold = (press: Press, subject: Subject, tool: MarkTool, hit: MarkHit): Hold => {
  let hold: Hold | null = null;
  return {
    image: () => hold?.image() ?? null,
    board: () => false,
    moved: (point) => {
      if (!hold && strayed(press, point)) hold = drawHold(press, subject, tool);
      hold?.moved(point);
    },
    lifted: () => {
      if (hold) hold.lifted();
      else press.book.draw({ chosen: { imageId: subject.id, markId: hit.mark.id } });
    },
    dropped: () => hold?.dropped(),
  };
};

/** What a press with a measuring tool becomes. */
export const markHold = (press: Press, subject: Subject, tool: MarkTool): Hold => {
  const { draft } = press.book.now();
  const drawing = draft !== null && !draft.done && draft.imageId === subject.id;
  const reach = (press.touch ? touchReach : mouseReach) * press.target.pixelRatio();
  const hit = drawing ? null : markAt(subject, press.start, reach);
  if (!hit) return drawHold(press, subject, tool);
  return hit.handle === null ? lineHold(press, subject, tool, hit) : handleHold(press, subject, hit);
};
