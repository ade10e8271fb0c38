import { BarChart } from '@mantine/charts';
import '@mantine/charts/styles.css';

export interface WeekOfChart {
  /** Label below the bar. */
  readonly label: string;
  readonly count: number;
}

interface WeeklyChartProps {
  readonly weeks: readonly WeekOfChart[];
  /** Name of the counted unit. */
  readonly name: string;
  readonly height: number;
  readonly numberText: (count: number) => string;
}

/** Bar chart of imports by week. A hidden table holds the same numbers for screen readers. */
export const WeeklyChart = ({ weeks, name, height, numberText }: WeeklyChartProps) => (
  <BarChart
    aria-hidden="true"
    h={height}
    data={weeks.map(({ label, count }) => ({ label, count }))}
    dataKey="label"
    series={[{ name: 'count', label: name, color: 'var(--accent)' }]}
    valueFormatter={numberText}
    withLegend={false}
    gridAxis="x"
    tickLine="none"
    maxBarWidth={18}
    barProps={{ radius: [2, 2, 0, 0], isAnimationActive: false }}
    barChartProps={{ accessibilityLayer: false, margin: { top: 4, right: 0, bottom: 0, left: 0 } }}
    xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 24, height: 24 }}
    yAxisProps={{ width: 44, allowDecimals: false, tickCount: 3 }}
  />
);
