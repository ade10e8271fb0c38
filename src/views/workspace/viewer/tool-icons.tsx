import IconAngle from '@tabler/icons-react/dist/esm/icons/IconAngle.mjs';
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs';
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconBlink from '@tabler/icons-react/dist/esm/icons/IconArrowsDiff.mjs';
import IconArrowsMaximize from '@tabler/icons-react/dist/esm/icons/IconArrowsMaximize.mjs';
import IconArrow from '@tabler/icons-react/dist/esm/icons/IconArrowUpRight.mjs';
import IconMarksOff from '@tabler/icons-react/dist/esm/icons/IconBallpenOff.mjs';
import IconBrightness from '@tabler/icons-react/dist/esm/icons/IconBrightness.mjs';
import IconProfile from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import IconColumns2 from '@tabler/icons-react/dist/esm/icons/IconColumns2.mjs';
import IconContrast from '@tabler/icons-react/dist/esm/icons/IconContrast.mjs';
import IconDental from '@tabler/icons-react/dist/esm/icons/IconDental.mjs';
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs';
import IconFlipHorizontal from '@tabler/icons-react/dist/esm/icons/IconFlipHorizontal.mjs';
import IconFlipVertical from '@tabler/icons-react/dist/esm/icons/IconFlipVertical.mjs';
import IconGrain from '@tabler/icons-react/dist/esm/icons/IconGrain.mjs';
import IconHandMove from '@tabler/icons-react/dist/esm/icons/IconHandMove.mjs';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs';
import IconLayersOff from '@tabler/icons-react/dist/esm/icons/IconLayersOff.mjs';
import IconLayout from '@tabler/icons-react/dist/esm/icons/IconLayout2.mjs';
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs';
import IconMarquee from '@tabler/icons-react/dist/esm/icons/IconMarquee2.mjs';
import IconMaximize from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs';
import IconEllipse from '@tabler/icons-react/dist/esm/icons/IconOvalVertical.mjs';
import IconRatio from '@tabler/icons-react/dist/esm/icons/IconPercentage.mjs';
import IconPhotoDown from '@tabler/icons-react/dist/esm/icons/IconPhotoDown.mjs';
import IconArea from '@tabler/icons-react/dist/esm/icons/IconPolygon.mjs';
import IconPresentation from '@tabler/icons-react/dist/esm/icons/IconPresentation.mjs';
import IconPrinter from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs';
import IconRectangle from '@tabler/icons-react/dist/esm/icons/IconRectangle.mjs';
import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs';
import IconRotate2 from '@tabler/icons-react/dist/esm/icons/IconRotate2.mjs';
import IconRotateClockwise2 from '@tabler/icons-react/dist/esm/icons/IconRotateClockwise2.mjs';
import IconPolyline from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs';
import IconLength from '@tabler/icons-react/dist/esm/icons/IconRuler2.mjs';
import IconCalibrate from '@tabler/icons-react/dist/esm/icons/IconRulerMeasure.mjs';
import IconFreehand from '@tabler/icons-react/dist/esm/icons/IconScribble.mjs';
import IconLineAngle from '@tabler/icons-react/dist/esm/icons/IconSlashes.mjs';
import IconTextCaption from '@tabler/icons-react/dist/esm/icons/IconTextCaption.mjs';
import IconTriangle from '@tabler/icons-react/dist/esm/icons/IconTriangle.mjs';
import IconText from '@tabler/icons-react/dist/esm/icons/IconTypography.mjs';
import IconZoomIn from '@tabler/icons-react/dist/esm/icons/IconZoomIn.mjs';
import IconZoomScan from '@tabler/icons-react/dist/esm/icons/IconZoomScan.mjs';
import type { ReactNode } from 'react';
import type { ToolId } from './tool-groups.ts';

/** The icon of each tool and of each kind of mark, in the toolbar, its menus and the list of marks. */
export const toolIcons: Readonly<Record<ToolId, ReactNode>> = {
  back: <IconArrowLeft />,
  previous: <IconChevronLeft />,
  next: <IconChevronRight />,
  compare: <IconColumns2 />,
  prior: <IconHistory />,
  priorMounts: <IconLayout />,
  blink: <IconBlink />,
  window: <IconBrightness />,
  region: <IconMarquee />,
  pan: <IconHandMove />,
  zoom: <IconZoomIn />,
  rotateLeft: <IconRotate2 />,
  rotateRight: <IconRotateClockwise2 />,
  flip: <IconFlipHorizontal />,
  flipVertical: <IconFlipVertical />,
  invert: <IconContrast />,
  noise: <IconGrain />,
  sharpen: <IconTriangle />,
  calibrate: <IconCalibrate />,
  marksHidden: <IconMarksOff />,
  planesHidden: <IconLayersOff />,
  actual: <b>1:1</b>,
  fit: <IconArrowsMaximize />,
  magnifier: <IconZoomScan />,
  undo: <IconArrowBackUp />,
  redo: <IconArrowForwardUp />,
  reset: <IconRestore />,
  toothHistory: <IconDental />,
  link: <IconLink />,
  savePicture: <IconPhotoDown />,
  print: <IconPrinter />,
  secondWindow: <IconPresentation />,
  overlays: <IconTextCaption />,
  focusMode: <IconEyeOff />,
  fullscreen: <IconMaximize />,
  shortcuts: <IconKeyboard />,
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
