const FAR = 1e9;

/**
 * Distance of each sample from the nearest sample that is set, in samples; 0 inside.
 * Felzenszwalb and Huttenlocher, "Distance Transforms of Sampled Functions" (2012): exact, linear in the area.
 */
export const distanceFrom = (mask: Uint8Array, width: number, height: number): Float32Array => {
  const field = new Float32Array(width * height);
  // Columns first: two sweeps give the distance along the column.
  for (let column = 0; column < width; column++) {
    let run = FAR;
    for (let at = column; at < field.length; at += width) {
      run = mask[at] === 0 ? run + 1 : 0;
      field[at] = run;
    }
    run = FAR;
    for (let at = column + (height - 1) * width; at >= 0; at -= width) {
      run = mask[at] === 0 ? run + 1 : 0;
      if (run < (field[at] ?? FAR)) field[at] = run;
    }
  }
  const hull = new Int32Array(width);
  const bounds = new Float64Array(width + 1);
  const squares = new Float64Array(width);
  for (let start = 0; start < field.length; start += width) {
    for (let column = 0; column < width; column++) {
      const along = Math.min(field[start + column] ?? FAR, 1e4);
      squares[column] = along * along;
    }
    let last = 0;
    hull[0] = 0;
    bounds[0] = -FAR;
    bounds[1] = FAR;
    for (let column = 1; column < width; column++) {
      const own = (squares[column] ?? 0) + column * column;
      let meet = 0;
      for (;;) {
        const vertex = hull[last] ?? 0;
        meet = (own - (squares[vertex] ?? 0) - vertex * vertex) / (2 * (column - vertex));
        if (meet > (bounds[last] ?? 0) || last === 0) break;
        last--;
      }
      last++;
      hull[last] = column;
      bounds[last] = meet;
      bounds[last + 1] = FAR;
    }
    let piece = 0;
    for (let column = 0; column < width; column++) {
      while ((bounds[piece + 1] ?? FAR) < column) piece++;
      const vertex = hull[piece] ?? 0;
      field[start + column] = Math.sqrt((column - vertex) ** 2 + (squares[vertex] ?? 0));
    }
  }
  return field;
};
