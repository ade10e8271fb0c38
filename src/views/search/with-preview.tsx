import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs';
import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Gallery } from '../../services/queries.ts';
import { useAppContext } from '../app/app-context.tsx';
import type { NewestImages } from './newest-images.tsx';
import type { PreviewSubject } from './preview-subject.ts';
import classes from './with-preview.module.css';

/** How long pointer or focus must stay on a row, in milliseconds, before its preview loads. */
const hoverDelayMs = 180;

interface HoveredRow {
  /** The last hovered row. */
  readonly id: string;
  /** Pointer and focus have left it since. */
  readonly isLeft: boolean;
}

interface HoveredRowOptions {
  /** Returns the row id of an element; null outside rows, undefined where the current row stays active. */
  readonly rowOf: (element: Element) => string | null | undefined;
  /** Called when a row is entered. Returns whether to show its preview. */
  readonly onEnter: () => boolean;
}

/**
 * Returns the row under the pointer or with focus, whichever changed last; touch is ignored. Spread `watch` on the container.
 * A still pointer selects nothing when the keyboard scrolls rows below it.
 */
const useHoveredRow = ({ rowOf, onEnter }: HoveredRowOptions) => {
  const [rest, setRest] = useState<HoveredRow | null>(null);
  const pendingId = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const byKeys = useRef(false);
  const pointer = useRef({ x: Number.NaN, y: Number.NaN });
  useEffect(() => () => clearTimeout(timer.current), []);

  const hover = (id: string | null) => {
    if (id === pendingId.current) return;
    clearTimeout(timer.current);
    pendingId.current = id;
    if (id !== null && !onEnter()) return;
    if (rest) setRest({ ...rest, isLeft: id !== rest.id });
    if (id !== null && id !== rest?.id) timer.current = setTimeout(() => setRest({ id, isLeft: false }), hoverDelayMs);
  };
  const hoverElement = (target: EventTarget) => {
    const id = target instanceof Element ? rowOf(target) : null;
    if (id !== undefined) hover(id);
  };
  const watch = {
    onPointerMove: ({ pointerType, screenX: x, screenY: y, target }: PointerEvent) => {
      if (pointerType === 'touch' || (x === pointer.current.x && y === pointer.current.y)) return;
      pointer.current = { x, y };
      byKeys.current = false;
      hoverElement(target);
    },
    // `pointerover` also fires when the wheel scrolls rows under a still pointer, or when a page appears under it; the latter is ignored.
    onPointerOver: ({ pointerType, target }: PointerEvent) => {
      const hasMoved = !Number.isNaN(pointer.current.x);
      if (pointerType !== 'touch' && hasMoved && !byKeys.current) hoverElement(target);
    },
    onPointerLeave: () => {
      if (!byKeys.current) hover(null);
    },
    onFocus: ({ target }: FocusEvent) => {
      const id = rowOf(target);
      if (typeof id !== 'string') return;
      byKeys.current = true;
      hover(id);
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (byKeys.current && !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) hover(null);
    },
  };
  return { rest, watch };
};

interface WithPreviewProps<Row extends { readonly id: string }> {
  readonly clinicId: string;
  readonly rows: readonly Row[] | null;
  readonly subjectOf: (row: Row) => PreviewSubject;
  /** The table of the rows. */
  readonly children: ReactNode;
}

/** Lazy-loads the preview component and its service when a row is first hovered. */
interface Fetched {
  readonly Images: typeof NewestImages;
  readonly gallery: Gallery;
}

/**
 * Table with a preview of the hovered row's newest images on its right. The space is reserved to avoid layout shifts; the style
 * sheet decides whether there is a preview. Failed previews are omitted.
 */
export const WithPreview = <Row extends { readonly id: string }>(props: WithPreviewProps<Row>) => {
  const { clinicId, rows, subjectOf, children } = props;
  const { t } = useTranslation('search');
  const { gallery: loadGallery } = useAppContext();
  const pane = useRef<HTMLElement>(null);
  const [fetched, setFetched] = useState<Fetched | null>(null);
  const isFetching = useRef(false);
  const fetchOnce = () => {
    if (isFetching.current) return;
    isFetching.current = true;
    Promise.all([import('./newest-images.tsx'), loadGallery()]).then(
      ([{ NewestImages: Images }, gallery]) => setFetched({ Images, gallery }),
      () => {
        isFetching.current = false;
      },
    );
  };
  const { rest, watch } = useHoveredRow({
    rowOf: (element) => {
      if (pane.current?.contains(element)) return undefined;
      const index = element.closest<HTMLElement>('tr[data-index]')?.dataset.index;
      return index === undefined ? null : (rows?.[Number(index)]?.id ?? null);
    },
    onEnter: () => {
      const hasSpace = (pane.current?.clientWidth ?? 0) > 0;
      if (hasSpace) fetchOnce();
      return hasSpace;
    },
  });
  const row = rows?.find(({ id }) => id === rest?.id);
  const content = () => {
    if (fetched && rest && row) {
      const { Images, gallery } = fetched;
      const subject = subjectOf(row);
      return <Images clinicId={clinicId} gallery={gallery} subject={subject} isLeft={rest.isLeft} />;
    }
    if (!rows?.length) return null;
    return (
      <p className={classes.hint}>
        <IconPhoto aria-hidden="true" />
        {t('previewHint')}
      </p>
    );
  };
  return (
    <div className={classes.beside} {...watch}>
      {children}
      <section ref={pane} className={classes.preview} aria-label={t('newestImages')}>
        {content()}
      </section>
    </div>
  );
};
