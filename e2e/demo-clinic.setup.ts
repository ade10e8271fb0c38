import { test } from '@playwright/test';
import { drawDemoFolder } from './demo-folder.ts';

test('draws the demo clinic', drawDemoFolder);
