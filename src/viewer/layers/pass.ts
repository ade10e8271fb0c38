import {
  Container,
  GlProgram,
  type Matrix,
  Mesh,
  type MeshGeometry,
  Shader,
  type TextureSource,
  type UniformGroup,
} from 'pixi.js';
import { variantName, type WindowVariant, windowSources } from '../shaders/window/variants.ts';
import type { TableTextures } from './tables.ts';

interface PassPiece {
  readonly source: TextureSource;
  readonly geometry: MeshGeometry;
  readonly groups: Readonly<Record<string, UniformGroup>>;
}

/** Meshes drawn by one program, one per texture. Owns meshes and shaders, not their textures and geometry. */
export interface Pass {
  readonly container: Container;
  /** Sets the shader variant and tables; does nothing when they are unchanged. */
  readonly bind: (variant: WindowVariant, tables: TableTextures) => void;
  /** Releases all textures until the next `bind`. */
  readonly unbind: () => void;
  readonly setTransform: (matrix: Matrix) => void;
  readonly dispose: () => void;
}

const programOf = (variant: WindowVariant) =>
  GlProgram.from({ ...windowSources(variant), name: variantName(variant), preferredFragmentPrecision: 'highp' });

export const createPass = (pieces: readonly PassPiece[]): Pass => {
  const container = new Container();
  let meshes: readonly Mesh<MeshGeometry, Shader>[] = [];
  let boundVariant = '';
  let boundTables: TableTextures | null = null;

  const unbind = () => {
    for (const mesh of meshes) {
      mesh.shader?.destroy();
      mesh.destroy();
    }
    meshes = [];
    boundVariant = '';
    boundTables = null;
  };

  const meshOf = ({ source, geometry, groups }: PassPiece, glProgram: GlProgram, tables: TableTextures) => {
    const shader = new Shader({ glProgram, resources: { uImage: source, ...groups, ...tables } });
    const mesh = new Mesh({ geometry, shader });
    // All output is opaque, and values must not be blended with those below.
    mesh.state.blend = false;
    container.addChild(mesh);
    return mesh;
  };

  return {
    container,
    bind: (variant, tables) => {
      const name = variantName(variant);
      if (name === boundVariant && tables === boundTables) return;
      unbind();
      const program = programOf(variant);
      meshes = pieces.map((piece) => meshOf(piece, program, tables));
      boundVariant = name;
      boundTables = tables;
    },
    unbind: unbind,
    setTransform: (matrix) => {
      for (const mesh of meshes) mesh.setFromMatrix(matrix);
    },
    dispose: () => {
      unbind();
      container.destroy();
    },
  };
};
