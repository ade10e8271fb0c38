import { Button } from '@mantine/core';
import IconMaximize from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { watchDeviceSize } from '../../viewer/device-size.ts';
import { PageHeading } from '../ui/page-heading.tsx';
import { CheckForm } from './check-form.tsx';
import { CheckList } from './check-list.tsx';
import classes from './monitor.module.css';
import { testPattern } from './test-pattern.ts';

interface PatternCanvasProps {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly label: string;
}

/** The test pattern; a pixel of the canvas is a pixel of the device at every zoom. */
const PatternCanvas = ({ canvas, label }: PatternCanvasProps) => {
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => (canvas.current ? watchDeviceSize(canvas.current, setSize) : undefined), [canvas]);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d', { alpha: false });
    if (!context || width === 0) return;
    for (const { grey, ...area } of testPattern(width, height)) {
      context.fillStyle = `rgb(${grey} ${grey} ${grey})`;
      context.fillRect(area.x, area.y, area.width, area.height);
    }
  }, [canvas, width, height]);
  return (
    <canvas ref={canvas} role="img" aria-label={label} width={width} height={height} className={classes.pattern} />
  );
};

/** A test pattern that the user looks at, what the user sees, and the latest checks of the clinic. */
export const MonitorPage = ({ clinicId }: { readonly clinicId: string }) => {
  const { t } = useTranslation(['monitor', 'header']);
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const patternSize = () => ({ width: canvas.current?.width ?? 0, height: canvas.current?.height ?? 0 });
  return (
    <div className={classes.page}>
      <PageHeading>{t('header:monitor')}</PageHeading>
      <p className={classes.lead}>{t('lead')}</p>
      <div className={classes.check}>
        <div className={classes.side}>
          <PatternCanvas canvas={canvas} label={t('pattern')} />
          {document.fullscreenEnabled && (
            <div className={classes.full}>
              <Button
                variant="default"
                leftSection={<IconMaximize aria-hidden="true" />}
                onClick={() => void canvas.current?.requestFullscreen()}
              >
                {t('fullScreen')}
              </Button>
              <span className={classes.dimmed}>{t('fullScreenHelp')}</span>
            </div>
          )}
        </div>
        <CheckForm clinicId={clinicId} patternSize={patternSize} />
      </div>
      <CheckList clinicId={clinicId} />
    </div>
  );
};
