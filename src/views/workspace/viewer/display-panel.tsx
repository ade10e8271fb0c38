import IconAdjustments from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs';
import IconChartHistogram from '@tabler/icons-react/dist/esm/icons/IconChartHistogram.mjs';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import IconCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightCollapse.mjs';
import IconExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightExpand.mjs';
import IconNote from '@tabler/icons-react/dist/esm/icons/IconNote.mjs';
import IconPalette from '@tabler/icons-react/dist/esm/icons/IconPalette.mjs';
import IconPresentation from '@tabler/icons-react/dist/esm/icons/IconPresentation.mjs';
import IconQuality from '@tabler/icons-react/dist/esm/icons/IconRosetteDiscountCheck.mjs';
import IconRotate from '@tabler/icons-react/dist/esm/icons/IconRotate.mjs';
import IconRuler from '@tabler/icons-react/dist/esm/icons/IconRuler2.mjs';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { NoteSubject } from '../../../../contract/notes.ts';
import type { Histogram, LoadedImage } from '../../../viewer/index.ts';
import { PanelSection } from '../../ui/panel-section.tsx';
import { useStoredFlag } from '../../ui/stored-state.ts';
import { ToolButton } from '../../ui/tool-button.tsx';
import { FiltersSection, PaletteSection, RotationSection } from './display-sections.tsx';
import { GreyValuesSection } from './grey-values-section.tsx';
import { MarksSection, type MarksSectionProps } from './marks-section.tsx';
import classes from './panel.module.css';
import type { Draft } from './use-display-draft.ts';
import type { PanelField, ViewOptions } from './use-view-options.ts';

/** The note of the active image, or of the mount. */
export interface NotePart {
  readonly subject: NoteSubject;
  readonly id: string;
  readonly body: ReactNode;
}

/** Grading of the active image. */
export interface GradingPart {
  readonly accept: () => void;
  readonly body: ReactNode;
}

interface DisplayPanelProps extends Omit<MarksSectionProps, 'imageUid' | 'image'> {
  /** UID of the active image; null while none is active. */
  readonly activeUid: string | null;
  /** Null while no image is active or loaded. */
  readonly image: LoadedImage | null;
  /** The image as its presentation state shows it; the same one without a state. */
  readonly presented: LoadedImage | null;
  readonly histogram: Histogram | null;
  readonly draft: Draft;
  readonly plainRotation: number;
  readonly notes: readonly NotePart[];
  /** The quality grade of the active image; null for images without one. */
  readonly grade: ReactNode;
  /** Presentation states of the active image; null without any. */
  readonly states: ReactNode;
  readonly options: Pick<ViewOptions, 'focusRequest' | 'endFocusRequest'>;
  /** Content below that is not about the display. */
  readonly aside: ReactNode;
}

/** On narrow screens the panel would cover the image, so it starts closed. */
const isNarrow = () => window.matchMedia('(max-width: 860px)').matches;

const fieldIn = (panel: HTMLElement | null, field: PanelField) =>
  panel?.querySelector<HTMLElement>(
    field === 'grade' ? '[data-grade] [data-reason]' : `[data-note=${field}] textarea`,
  ) ?? null;

const useSection = (name: string, first: boolean) => useStoredFlag(`dentarium.section.${name}`, first);

/** Display settings of the active image. Sections are collapsible and remembered; the panel collapses to their icons. */
export const DisplayPanel = (props: DisplayPanelProps) => {
  const { activeUid, image, presented, histogram, draft, plainRotation, notes, grade, states, options, aside } = props;
  const { t } = useTranslation('viewer');
  const [open, setOpen] = useStoredFlag('dentarium.panel.right', !isNarrow());
  const isGrey = image?.description.samplesPerPixel === 1;
  const savedDisplays = useSection('states', true);
  const greyValues = useSection('greys', true);
  const filters = useSection('filters', true);
  const colours = useSection('palette', false);
  const turn = useSection('turn', false);
  const measures = useSection('measures', true);
  const note = useSection('note', true);
  const mountNote = useSection('mount-note', true);
  const quality = useSection('grade', true);
  const panel = useRef<HTMLElement>(null);
  const { focusRequest, endFocusRequest } = options;
  const flags = { image: note, viewset: mountNote, grade: quality };
  const noteOf = (subject: NoteSubject) => notes.find((one) => one.subject === subject)?.body;
  // After each render: the field appears once the panel and its section are open.
  useEffect(() => {
    if (!focusRequest) return;
    const field = fieldIn(panel.current, focusRequest.field);
    if (field) {
      endFocusRequest();
      return field.focus();
    }
    setOpen(true);
    flags[focusRequest.field][1](true);
  });
  const [chosen, setChosen] = useState<string | null>(null);
  // The button of the closed panel is gone: the section that it opened takes the focus, in sight.
  useEffect(() => {
    const section = chosen === null ? null : panel.current?.querySelector<HTMLElement>(`[data-section=${chosen}]`);
    if (!section) return;
    setChosen(null);
    // Only in the panel: the image stays in sight.
    if (section.parentElement) section.parentElement.scrollTop = section.offsetTop;
    section.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  }, [chosen]);
  const parts = [
    { id: 'states', flag: savedDisplays, icon: <IconPresentation />, body: states },
    {
      id: 'greys',
      flag: greyValues,
      icon: <IconChartHistogram />,
      body: image && presented && (
        <GreyValuesSection image={presented} stored={image} histogram={histogram} draft={draft} />
      ),
    },
    { id: 'filters', flag: filters, icon: <IconAdjustments />, body: image && <FiltersSection draft={draft} /> },
    { id: 'palette', flag: colours, icon: <IconPalette />, body: image && isGrey && <PaletteSection draft={draft} /> },
    {
      id: 'turn',
      flag: turn,
      icon: <IconRotate />,
      body: image && <RotationSection draft={draft} plainRotation={plainRotation} />,
    },
    {
      id: 'measures',
      flag: measures,
      icon: <IconRuler />,
      body: image && activeUid !== null && <MarksSection {...props} imageUid={activeUid} image={image} />,
    },
    { id: 'note', flag: note, icon: <IconNote />, body: noteOf('image') },
    { id: 'grade', flag: quality, icon: <IconQuality />, body: grade },
    { id: 'mountNote', flag: mountNote, icon: <IconNote />, body: noteOf('viewset') },
  ] as const;
  const standing = parts.filter(({ body }) => body);

  if (!open)
    return (
      <aside ref={panel} className={classes.panel} data-open="false" data-chrome aria-label={t('panel')}>
        <ToolButton label={t('showPanel')} onClick={() => setOpen(true)}>
          <IconExpand />
        </ToolButton>
        {standing.map(({ id, flag: [, setFlag], icon }) => (
          <ToolButton
            key={id}
            label={t(`section-${id}`)}
            onClick={() => {
              setFlag(true);
              setOpen(true);
              setChosen(id);
            }}
          >
            {icon}
          </ToolButton>
        ))}
        {aside && (
          <ToolButton label={t('section-facts')} onClick={() => setOpen(true)}>
            <IconInfoCircle />
          </ToolButton>
        )}
      </aside>
    );
  return (
    <aside ref={panel} className={classes.panel} data-open="true" data-chrome aria-label={t('panel')}>
      <div className={classes.content}>
        <div className={classes.head}>
          <ToolButton label={t('hidePanel')} onClick={() => setOpen(false)}>
            <IconCollapse />
          </ToolButton>
          <h2>{t('panel')}</h2>
        </div>
        <div className={classes.scroll}>
          {standing.map(({ id, flag: [shown, setFlag], body }) => (
            <PanelSection key={id} id={id} title={t(`section-${id}`)} open={shown} onOpen={setFlag}>
              {body}
            </PanelSection>
          ))}
          {activeUid === null && <p className={classes.empty}>{t('needsImage')}</p>}
          {aside}
        </div>
      </div>
    </aside>
  );
};
