import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// What is built is part of the Python package: no Node is needed where it is installed.
export default defineConfig({
  plugins: [svelte()],
  base: './',
  build: {
    outDir: '../src/tocsin/service/page',
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content-security policy has no data: scripts or styles
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000, // what the sizes may be is a test of the package
  },
});
