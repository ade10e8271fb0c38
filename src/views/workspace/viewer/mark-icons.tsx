import IconAngle from '@tabler/icons-react/dist/esm/icons/IconAngle.mjs';
import IconArrow from '@tabler/icons-react/dist/esm/icons/IconArrowUpRight.mjs';
import IconProfile from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs';
import IconEllipse from '@tabler/icons-react/dist/esm/icons/IconOvalVertical.mjs';
import IconRatio from '@tabler/icons-react/dist/esm/icons/IconPercentage.mjs';
import IconArea from '@tabler/icons-react/dist/esm/icons/IconPolygon.mjs';
import IconRectangle from '@tabler/icons-react/dist/esm/icons/IconRectangle.mjs';
import IconPolyline from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs';
import IconLength from '@tabler/icons-react/dist/esm/icons/IconRuler2.mjs';
import IconFreehand from '@tabler/icons-react/dist/esm/icons/IconScribble.mjs';
import IconLineAngle from '@tabler/icons-react/dist/esm/icons/IconSlashes.mjs';
import IconText from '@tabler/icons-react/dist/esm/icons/IconTypography.mjs';
import type { ReactNode } from 'react';
import type { Mark } from '../../../viewer/index.ts';

/** The icon of each kind of mark, in the toolbar and in the list. */
export const markIcons: Readonly<Record<Mark['kind'], ReactNode>> = {
  length: <IconLength />,
  angle: <IconAngle />,
  arrow: <IconArrow />,
  text: <IconText />,
  rectangle: <IconRectangle />,
  ellipse: <IconEllipse />,
  freehand: <IconFreehand />,
  polyline: <IconPolyline />,
  area: <IconArea />,
  lineAngle: <IconLineAngle />,
  ratio: <IconRatio />,
  profile: <IconProfile />,
};
