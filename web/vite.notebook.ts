import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// One module with its styles in it: a notebook loads it as a text.
export default defineConfig({
  plugins: [
    { name: 'no-loose-style', enforce: 'pre', load: (id) => (id.endsWith('@xyflow/svelte/dist/style.css') ? '' : null) },
    svelte({ compilerOptions: { css: 'injected' }, emitCss: false }),
  ],
  publicDir: false,
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: '../src/tocsin/notebook/built',
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
    lib: { entry: 'notebook/main.ts', formats: ['es'], fileName: () => 'views.js' },
    rollupOptions: { output: { inlineDynamicImports: true, minify: true } },
  },
});
