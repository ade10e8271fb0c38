import IconAdjustments from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs';
import IconChartHistogram from '@tabler/icons-react/dist/esm/icons/IconChartHistogram.mjs';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import IconCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightCollapse.mjs';
import IconExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightExpand.mjs';
import IconPalette from '@tabler/icons-react/dist/esm/icons/IconPalette.mjs';
import IconRotate from '@tabler/icons-react/dist/esm/icons/IconRotate.mjs';
import IconRuler from '@tabler/icons-react/dist/esm/icons/IconRuler2.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Calibration, Histogram, LoadedImage, Mark } from '../../viewer/index.ts';
import { PanelSection } from '../parts/panel-section.tsx';
import { useStoredFlag } from '../parts/stored-state.ts';
import { ToolButton } from '../parts/tool-button.tsx';
import { FiltersSection } from './filters-section.tsx';
import { GreysSection } from './greys-section.tsx';
import { MeasuresSection } from './measures-section.tsx';
import { PaletteSection } from './palette-section.tsx';
import classes from './panel.module.css';
import { TurnSection } from './turn-section.tsx';
import type { Draft } from './use-draft.ts';

interface DisplayPanelProps {
  /** null while none is in hand, or it is not loaded. */
  readonly image: LoadedImage | null;
  /** An image is in hand, loaded or not. */
  readonly held: boolean;
  readonly histogram: Histogram | null;
  readonly draft: Draft;
  readonly plainRotation: number;
  readonly marks: readonly Mark[];
  readonly calibration: Calibration | null;
  readonly onMarks: (marks: readonly Mark[]) => void;
  readonly onCalibrate: () => void;
  readonly onUncalibrate: () => void;
  /** What belongs to the image but not to how it is shown; below. */
  readonly aside: ReactNode;
}

/** Where the panel would cover the image, one asks for it first. */
const isNarrow = () => window.matchMedia('(max-width: 860px)').matches;

const useSection = (name: string, first: boolean) => useStoredFlag(`dentarium.section.${name}`, first);

/** All about how the image in hand is shown. Its sections fold and remember; the panel folds to their icons. */
export const DisplayPanel = (props: DisplayPanelProps) => {
  const { image, held, histogram, draft, plainRotation, marks, calibration, aside } = props;
  const { t } = useTranslation('viewer');
  const [open, setOpen] = useStoredFlag('dentarium.panel.right', !isNarrow());
  const isGrey = image?.description.samplesPerPixel === 1;
  const greys = useSection('greys', true);
  const filters = useSection('filters', true);
  const colours = useSection('palette', false);
  const turn = useSection('turn', false);
  const measures = useSection('measures', true);
  const parts = [
    {
      id: 'greys',
      flag: greys,
      icon: <IconChartHistogram />,
      body: image && <GreysSection image={image} histogram={histogram} draft={draft} />,
    },
    { id: 'filters', flag: filters, icon: <IconAdjustments />, body: image && <FiltersSection draft={draft} /> },
    { id: 'palette', flag: colours, icon: <IconPalette />, body: image && isGrey && <PaletteSection draft={draft} /> },
    {
      id: 'turn',
      flag: turn,
      icon: <IconRotate />,
      body: image && <TurnSection draft={draft} plainRotation={plainRotation} />,
    },
    {
      id: 'measures',
      flag: measures,
      icon: <IconRuler />,
      body: image && (
        <MeasuresSection
          image={image}
          marks={marks}
          calibration={calibration}
          onMarks={props.onMarks}
          onCalibrate={props.onCalibrate}
          onUncalibrate={props.onUncalibrate}
        />
      ),
    },
  ] as const;
  const standing = parts.filter(({ body }) => body);

  if (!open)
    return (
      <aside className={classes.panel} data-open="false" data-chrome aria-label={t('panel')}>
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
    <aside className={classes.panel} data-open="true" data-chrome aria-label={t('panel')}>
      <div className={classes.content}>
        <div className={classes.head}>
          <ToolButton label={t('hidePanel')} onClick={() => setOpen(false)}>
            <IconCollapse />
          </ToolButton>
          <h2>{t('panel')}</h2>
        </div>
        <div className={classes.scroll}>
          {standing.map(({ id, flag: [shown, setFlag], body }) => (
            <PanelSection key={id} title={t(`section-${id}`)} open={shown} onOpen={setFlag}>
              {body}
            </PanelSection>
          ))}
          {!held && <p className={classes.empty}>{t('needsImage')}</p>}
          {aside}
        </div>
      </div>
    </aside>
  );
};
