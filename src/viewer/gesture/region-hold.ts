import { regionWindow } from '../scene/auto-window.ts';
import { type Hold, insideImage, type Press, strayed } from './hold.ts';
import { imagePointAt, once, type Subject } from './target.ts';

/** A rectangle over a picture: brightness and contrast by the values inside it. */
export const regionHold = (press: Press, subject: Subject): Hold => {
  const { target, book, start } = press;
  const { id, image } = subject;
  const from = insideImage(imagePointAt(subject, start), image);

  const settle = () => {
    const { region } = book.now();
    book.draw({ region: null });
    const now = target.subject(id);
    if (!region || !now) return;
    const [left, right] = [region.from[0], region.to[0]].sort((one, other) => one - other);
    const [top, bottom] = [region.from[1], region.to[1]].sort((one, other) => one - other);
    if (left === undefined || right === undefined || top === undefined || bottom === undefined) return;
    const voi = regionWindow(now.image, { x: left, y: top, width: right - left, height: bottom - top });
    if (voi) once(target, id, 'window', { display: { ...now.display, voi } });
  };

  let begun = false;
  return {
    image: () => (begun ? id : null),
    board: () => false,
    moved: (point) => {
      const now = target.subject(id);
      // Given up meanwhile by Escape.
      if (begun && !book.now().region) return;
      if (!now || !(begun || strayed(press, point))) return;
      begun = true;
      book.draw({ region: { imageId: id, from, to: insideImage(imagePointAt(now, point), image) } });
    },
    lifted: () => {
      begun = false;
      settle();
    },
    dropped: () => {
      begun = false;
      book.draw({ region: null });
    },
  };
};
