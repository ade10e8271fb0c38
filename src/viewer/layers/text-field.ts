import { maxMarkText } from '../../../contract/displays.ts';
import type { Point } from '../scene/camera.ts';
import { lineHeight, textHeight } from '../scene/mark-text.ts';

/** The field in which a text mark is typed, at its place over the image. */
export interface TextField {
  /** Shows the field at a point (CSS pixels of the stage), or removes it. `text` is its content when it opens. */
  readonly show: (place: Point | null, text: string) => void;
  readonly dispose: () => void;
}

/** Creates the field. `ended` gets the typed text once: on Enter or when the field loses the focus; null on Escape. */
export const createTextField = (host: HTMLElement, label: string, ended: (typed: string | null) => void): TextField => {
  let field: HTMLTextAreaElement | null = null;

  const end = (typed: string | null) => {
    const ending = field;
    if (!ending) return;
    field = null;
    ended(typed);
    ending.remove();
  };

  const grow = (area: HTMLTextAreaElement) => {
    const lines = area.value.split('\n');
    area.rows = lines.length;
    area.style.width = `${Math.max(12, ...lines.map((line) => line.length + 2))}ch`;
  };

  const open = (text: string) => {
    const area = document.createElement('textarea');
    area.setAttribute('aria-label', label);
    area.maxLength = maxMarkText;
    area.value = text;
    area.spellcheck = false;
    area.autocomplete = 'off';
    area.style.cssText =
      'position:absolute;z-index:1;box-sizing:content-box;margin:0;padding:2px 4px;border:0;border-radius:3px;resize:none;overflow:hidden;background:#000;color:#f5f5f5;outline:2px solid oklch(0.8 0.13 195);font-family:inherit;font-weight:500';
    area.style.fontSize = `${textHeight}px`;
    area.style.lineHeight = `${lineHeight}px`;
    area.addEventListener('input', () => grow(area));
    area.addEventListener('keydown', (event) => {
      // Keys of the page would act on the image.
      event.stopPropagation();
      const isEnd = event.key === 'Escape' || (event.key === 'Enter' && !event.shiftKey);
      if (!isEnd || event.isComposing) return;
      event.preventDefault();
      end(event.key === 'Escape' ? null : area.value);
      host.querySelector('canvas')?.focus({ preventScroll: true });
    });
    area.addEventListener('blur', () => end(area.value));
    host.append(area);
    field = area;
    grow(area);
    area.focus({ preventScroll: true });
    area.setSelectionRange(text.length, text.length);
    return area;
  };

  return {
    show: (place, text) => {
      if (!place) {
        const leaving = field;
        field = null;
        leaving?.remove();
        return;
      }
      const { style } = field ?? open(text);
      const left = Math.max(0, Math.min(place.x, host.clientWidth - 120));
      style.left = `${left}px`;
      style.top = `${Math.max(0, Math.min(place.y, host.clientHeight - 40))}px`;
      style.maxWidth = `${Math.max(100, host.clientWidth - left - 16)}px`;
    },
    dispose: () => {
      field?.remove();
      field = null;
    },
  };
};
