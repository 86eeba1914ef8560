// node_modules/@xyflow/svelte/dist/style.css?inline
var e = Array.isArray, t = Array.prototype.indexOf, n = Array.prototype.includes, r = Array.from, i = Object.defineProperty, a = Object.getOwnPropertyDescriptor, o = Object.getOwnPropertyDescriptors, s = Object.prototype, c = Array.prototype, l = Object.getPrototypeOf, u = Object.isExtensible;
function d(e) {
	return typeof e == "function";
}
var f = () => {};
function p(e) {
	return typeof e?.then == "function";
}
function m(e) {
	return e();
}
function h(e) {
	for (var t = 0; t < e.length; t++) e[t]();
}
function g() {
	var e, t;
	return {
		promise: new Promise((n, r) => {
			e = n, t = r;
		}),
		resolve: e,
		reject: t
	};
}
function _(e, t, n = !1) {
	return e === void 0 ? n ? t() : t : e;
}
function v(e, t) {
	if (Array.isArray(e)) return e;
	if (t === void 0 || !(Symbol.iterator in e)) return Array.from(e);
	let n = [];
	for (let r of e) if (n.push(r), n.length === t) break;
	return n;
}
function y(e, t) {
	var n = {};
	for (var r in e) t.includes(r) || (n[r] = e[r]);
	for (var i of Object.getOwnPropertySymbols(e)) Object.propertyIsEnumerable.call(e, i) && !t.includes(i) && (n[i] = e[i]);
	return n;
}
// node_modules/svelte/src/internal/client/constants.js
var b = 1 << 24, x = 1024, S = 2048, C = 4096, w = 8192, ee = 16384, te = 32768, ne = 1 << 25, re = 65536, ie = 1 << 19, ae = 1 << 20, oe = 1 << 25, se = 1 << 21, ce = 1 << 22, le = 1 << 23, ue = Symbol("$state"), de = Symbol("component"), fe = Symbol("legacy props"), pe = Symbol(""), me = Symbol("attributes"), he = Symbol("class"), ge = Symbol("style"), _e = Symbol("text"), ve = Symbol("form reset"), ye = new class extends Error {
	name = "StaleReactionError";
	message = "The reaction that called `getAbortSignal()` was re-run or destroyed";
}(), be = !!globalThis.document?.contentType && /* @__PURE__ */ globalThis.document.contentType.includes("xml"), xe = {}, Se = Symbol("uninitialized"), Ce = "http://www.w3.org/1999/xhtml";
function we() {
	console.warn("https://svelte.dev/e/derived_inert");
}
function Te(e) {
	console.warn("https://svelte.dev/e/hydration_mismatch");
}
function Ee() {
	console.warn("https://svelte.dev/e/select_multiple_invalid_value");
}
function De() {
	console.warn("https://svelte.dev/e/svelte_boundary_reset_noop");
}
// node_modules/svelte/src/internal/client/dom/hydration.js
var T = !1;
function Oe(e) {
	T = e;
}
var ke;
function Ae(e) {
	if (e === null) throw Te(), xe;
	return ke = e;
}
function je() {
	return Ae(/* @__PURE__ */ Sn(ke));
}
function E(e) {
	if (T) {
		if (/* @__PURE__ */ Sn(ke) !== null) throw Te(), xe;
		ke = e;
	}
}
function Me(e = 1) {
	if (T) {
		for (var t = e, n = ke; t--;) n = /* @__PURE__ */ Sn(n);
		ke = n;
	}
}
function Ne(e = !0) {
	for (var t = 0, n = ke;;) {
		if (n.nodeType === 8) {
			var r = n.data;
			if (r === "]") {
				if (t === 0) return n;
				--t;
			} else (r === "[" || r === "[!" || r[0] === "[" && !isNaN(Number(r.slice(1)))) && (t += 1);
		}
		var i = /* @__PURE__ */ Sn(n);
		e && n.remove(), n = i;
	}
}
function Pe(e) {
	if (!e || e.nodeType !== 8) throw Te(), xe;
	return e.data;
}
// node_modules/svelte/src/internal/client/reactivity/equality.js
function Fe(e) {
	return e === this.v;
}
function Ie(e, t) {
	return e == e ? e !== t || typeof e == "object" && !!e || typeof e == "function" : t == t;
}
function Le(e) {
	return !Ie(e, this.v);
}
function Re(e) {
	throw Error("https://svelte.dev/e/lifecycle_outside_component");
}
// node_modules/svelte/src/internal/client/errors.js
function ze() {
	throw Error("https://svelte.dev/e/async_derived_orphan");
}
function Be(e, t, n) {
	throw Error("https://svelte.dev/e/each_key_duplicate");
}
function Ve(e) {
	throw Error("https://svelte.dev/e/effect_in_teardown");
}
function He() {
	throw Error("https://svelte.dev/e/effect_in_unowned_derived");
}
function Ue(e) {
	throw Error("https://svelte.dev/e/effect_orphan");
}
function We() {
	throw Error("https://svelte.dev/e/effect_update_depth_exceeded");
}
function Ge(e) {
	throw Error("https://svelte.dev/e/props_invalid_value");
}
function Ke() {
	throw Error("https://svelte.dev/e/state_descriptors_fixed");
}
function qe() {
	throw Error("https://svelte.dev/e/state_prototype_fixed");
}
function Je() {
	throw Error("https://svelte.dev/e/state_unsafe_mutation");
}
function Ye() {
	throw Error("https://svelte.dev/e/svelte_boundary_reset_onerror");
}
// node_modules/svelte/src/internal/flags/index.js
var Xe = !1;
function Ze() {
	Xe = !0;
}
// node_modules/svelte/src/internal/shared/clone.js
var Qe = [];
function $e(e, t = !1, n = !1) {
	return et(e, /* @__PURE__ */ new Map(), "", Qe, null, n);
}
function et(t, n, r, i, a = null, o = !1) {
	if (typeof t == "object" && t) {
		var c = n.get(t);
		if (c !== void 0) return c;
		if (t instanceof Map) return new Map(t);
		if (t instanceof Set) return new Set(t);
		if (e(t)) {
			var u = Array(t.length);
			n.set(t, u), a !== null && n.set(a, u);
			for (var d = 0; d < t.length; d += 1) {
				var f = t[d];
				d in t && (u[d] = et(f, n, r, i, null, o));
			}
			return u;
		}
		if (l(t) === s) {
			u = {}, n.set(t, u), a !== null && n.set(a, u);
			for (var p of Object.keys(t)) u[p] = et(t[p], n, r, i, null, o);
			return u;
		}
		if (t instanceof Date) return t.getTime(), structuredClone(t);
		if (typeof t.toJSON == "function" && !o) return et(t.toJSON(), n, r, i, t);
	}
	if (t instanceof EventTarget) return t;
	try {
		return structuredClone(t);
	} catch {
		return t;
	}
}
// node_modules/svelte/src/internal/shared/context.js
function tt(e) {
	let t = e.p;
	for (; t !== null && t.c === null;) t = t.p;
	return t?.c ?? null;
}
function nt(e, t) {
	return e === null && Re(t), e.c ??= new Map(tt(e) || void 0);
}
// node_modules/svelte/src/internal/client/context.js
var rt = null;
function it(e) {
	rt = e;
}
function at(e) {
	return nt(rt, "getContext").get(e);
}
function ot(e, t) {
	return nt(rt, "setContext").set(e, t), t;
}
function st(e) {
	return nt(rt, "hasContext").has(e);
}
function D(e, t = !1, n) {
	rt = {
		p: rt,
		i: !1,
		c: null,
		e: null,
		s: e,
		x: null,
		r: cr,
		l: Xe && !t ? {
			s: null,
			u: null,
			$: []
		} : null
	};
}
function O(e) {
	var t = rt, n = t.e;
	if (n !== null) {
		t.e = null;
		for (var r of n) Fn(r);
	}
	return e !== void 0 && (t.x = e), t.i = !0, rt = t.p, ct(e);
}
function ct(e = {}) {
	return i(e, de, { value: !0 }), e;
}
function lt() {
	return !Xe || rt !== null && rt.l === null;
}
// node_modules/svelte/src/internal/client/dom/task.js
var ut = [];
function dt() {
	var e = ut;
	ut = [], h(e);
}
function ft(e) {
	if (ut.length === 0 && !Bt) {
		var t = ut;
		queueMicrotask(() => {
			t === ut && dt();
		});
	}
	ut.push(e);
}
function pt() {
	for (; ut.length > 0;) dt();
}
// node_modules/svelte/src/internal/client/reactivity/status.js
var mt = ~(S | C | x);
function ht(e, t) {
	e.f = e.f & mt | t;
}
function gt(e) {
	e.f & 512 || e.deps === null ? ht(e, x) : ht(e, C);
}
// node_modules/svelte/src/internal/client/reactivity/utils.js
function _t(e, t) {
	e.f & 2048 ? t.set(e, S) : e.f & 4096 && t.get(e) !== 2048 && t.set(e, C), ht(e, x);
}
// node_modules/svelte/src/internal/client/dom/elements/misc.js
function vt(e, t) {
	if (t) {
		let t = document.body;
		e.autofocus = !0, ft(() => {
			document.activeElement === t && e.focus();
		});
	}
}
var yt = !1;
function bt() {
	yt || (yt = !0, document.addEventListener("reset", (e) => {
		Promise.resolve().then(() => {
			if (!e.defaultPrevented) for (let t of e.target.elements) t[ve]?.();
		});
	}, { capture: !0 }));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/shared.js
function xt(e) {
	var t = ar, n = cr;
	sr(null), lr(null);
	try {
		return e();
	} finally {
		sr(t), lr(n);
	}
}
function St(e, t, n, r = n) {
	e.addEventListener(t, () => xt(n));
	let i = e[ve];
	e[ve] = i ? () => {
		i(), r(!0);
	} : () => r(!0), bt();
}
// node_modules/svelte/src/internal/client/reactivity/async.js
function Ct(e, t, n, r) {
	let i = lt() ? Dt : At;
	var a = e.filter((e) => !e.settled), o = t.map(i);
	if (n.length === 0 && a.length === 0) {
		r(o);
		return;
	}
	var s = cr, c = wt(), l = a.length === 1 ? a[0].promise : a.length > 1 ? Promise.all(a.map((e) => e.promise)) : null;
	function u(e) {
		if (!(s.f & 16384)) {
			c();
			try {
				r([...o, ...e]);
			} catch (e) {
				On(e, s);
			}
			Tt();
		}
	}
	var d = Et();
	if (n.length === 0) {
		l.then(() => u([])).finally(d);
		return;
	}
	function f() {
		Promise.all(n.map((e) => /* @__PURE__ */ kt(e))).then(u).catch((e) => On(e, s)).finally(d);
	}
	l ? l.then(() => {
		s.f & 16384 ? d() : (c(), f(), Tt());
	}) : f();
}
function wt() {
	var e = cr, t = ar, n = rt, r = A;
	return function(i = !0) {
		lr(e), sr(t), it(n), i && !(e.f & 16384) && (r?.activate(), r?.apply());
	};
}
function Tt(e = !0) {
	lr(null), sr(null), it(null), e && A?.deactivate();
}
function Et() {
	var e = cr, t = e.b, n = A, r = !!t?.is_rendered();
	return t?.update_pending_count(1, n), n.increment(r, e), () => {
		t?.update_pending_count(-1, n), n.decrement(r, e);
	};
}
/*#__NO_SIDE_EFFECTS__*/
function Dt(e) {
	var t = 2 | S;
	return cr !== null && (cr.f |= ie), {
		ctx: rt,
		deps: null,
		effects: null,
		equals: Fe,
		f: t,
		fn: e,
		reactions: null,
		rv: 0,
		v: Se,
		wv: 0,
		parent: cr,
		ac: null
	};
}
var Ot = Symbol("obsolete");
/*#__NO_SIDE_EFFECTS__*/
function kt(e, t, n) {
	let r = cr;
	r === null && ze();
	var i = void 0, a = rn(Se), o = !ar, s = /* @__PURE__ */ new Set();
	return Bn(() => {
		var t = cr, n = g();
		i = n.promise;
		try {
			Promise.resolve(e()).then(n.resolve, (e) => {
				e !== ye && n.reject(e);
			}).finally(Tt);
		} catch (e) {
			n.reject(e), Tt();
		}
		var c = A;
		if (o) {
			if (t.f & 32768) var l = Et();
			if (r.b?.is_rendered()) c.async_deriveds.get(t)?.reject(Ot);
			else for (let e of s.values()) e.reject(Ot);
			s.add(n), c.async_deriveds.set(t, n);
		}
		let u = (e, t = void 0) => {
			l?.(), s.delete(n), t !== Ot && (c.activate(), t ? (a.f |= le, cn(a, t)) : (a.f & 8388608 && (a.f ^= le), cn(a, e)), c.deactivate());
		};
		n.promise.then(u, (e) => u(null, e || "unknown"));
	}), Nn(() => {
		for (let e of s) e.reject(Ot);
	}), new Promise((e) => {
		function t(n) {
			function r() {
				n === i ? e(a) : t(i);
			}
			n.then(r, r);
		}
		t(i);
	});
}
/*#__NO_SIDE_EFFECTS__*/
function k(e) {
	let t = /* @__PURE__ */ Dt(e);
	return dr(t), t;
}
/*#__NO_SIDE_EFFECTS__*/
function At(e) {
	let t = /* @__PURE__ */ Dt(e);
	return t.equals = Le, t;
}
function jt(e) {
	var t = e.effects;
	if (t !== null) {
		e.effects = null;
		for (var n = 0; n < t.length; n += 1) Jn(t[n]);
	}
}
function Mt(e) {
	var t, n = cr, r = e.parent;
	if (!rr && r !== null && e.v !== Se && r.f & 24576) return we(), e.v;
	lr(r);
	try {
		jt(e), t = Cr(e);
	} finally {
		lr(n);
	}
	return t;
}
function Nt(e) {
	var t = Mt(e);
	!e.equals(t) && (e.wv = br(), (!A?.is_fork || e.deps === null) && (A === null ? e.v = t : (A.capture(e, t, !0), Lt?.capture(e, t, !0)), e.deps === null)) ? ht(e, x) : rr || (Rt === null ? gt(e) : (Mn() || A?.is_fork) && Rt.set(e, t));
}
function Pt(e) {
	if (e.effects !== null) for (let t of e.effects) (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && xt(() => {
		t.ac.abort(ye), t.ac = null;
	}), t.fn !== null && (t.teardown = f), Er(t, 0), Kn(t));
}
function Ft(e) {
	if (e.effects !== null) for (let t of e.effects) t.teardown && t.fn !== null && Dr(t);
}
// node_modules/svelte/src/internal/client/reactivity/batch.js
var It = null, A = null, Lt = null, Rt = null, zt = null, Bt = !1, Vt = !1, Ht = null, Ut = null, Wt = 0, Gt = 1, Kt = class e {
	id = Gt++;
	started = !1;
	linked = !0;
	prev = null;
	next = null;
	async_deriveds = /* @__PURE__ */ new Map();
	current = /* @__PURE__ */ new Map();
	previous = /* @__PURE__ */ new Map();
	#e = /* @__PURE__ */ new Set();
	#t = /* @__PURE__ */ new Set();
	#n = 0;
	#r = /* @__PURE__ */ new Map();
	#i = null;
	#a = [];
	#o = [];
	#s = /* @__PURE__ */ new Map();
	#c = /* @__PURE__ */ new Map();
	#l = /* @__PURE__ */ new Set();
	is_fork = !1;
	#u = !1;
	constructor() {
		It === null ? It = this : (It.next = this, this.prev = It), It = this;
	}
	#d() {
		if (this.is_fork) return !0;
		for (let e of this.#r.keys()) if (!this.#f(e)) return !0;
		return !1;
	}
	#f(e) {
		for (var t = e; t !== null; t = t.parent) if (this.#c.has(t)) return !0;
		return !1;
	}
	skip_effect(e) {
		this.#c.has(e) || this.#c.set(e, {
			d: [],
			m: []
		}), this.#l.delete(e);
	}
	unskip_effect(e, t = (e) => this.schedule(e)) {
		var n = this.#c.get(e);
		if (n) {
			this.#c.delete(e);
			for (var r of n.d) ht(r, S), t(r);
			for (r of n.m) ht(r, C), t(r);
		}
		this.#l.add(e);
	}
	#p() {
		var e = [];
		for (let i of this.#a) if (!(i.f & 16384 || !(i.f & 6144))) {
			for (var t = i, n = !1; t.parent !== null;) {
				t = t.parent;
				var r = t.f;
				if (r & 96) {
					if (!(r & 1024)) {
						n = !0;
						break;
					}
					t.f ^= x;
				}
			}
			n || e.push(t);
		}
		return this.#a = [], e;
	}
	#m() {
		this.started = !0;
		for (let [e, t] of this.#s) ht(e, t), this.schedule(e);
		this.apply();
		for (var t = Ht = [], n = [], r = Ut = []; this.#a.length > 0;) {
			Wt++ > 1e3 && (this.#b(), Jt());
			for (let e of this.#p()) try {
				this.#h(e, t, n);
			} catch (t) {
				throw $t(e), this.#d() || this.discard(), t;
			}
		}
		if (A = null, r.length > 0) {
			var i = e.ensure();
			for (let e of r) i.schedule(e);
		}
		if (Ht = null, Ut = null, this.#d()) {
			this.#y(n), this.#y(t);
			for (let [e, t] of this.#c) Qt(e, t);
			r.length > 0 && A.#m();
			return;
		}
		let a = this.#g();
		if (a) this.#y(n), this.#y(t), a.#v(this);
		else {
			this.#s.clear();
			for (let e of this.#e) e(this);
			this.#e.clear(), Lt = this, Xt(n), Xt(t), Lt = null, this.#i?.resolve();
			var o = A;
			this.#n === 0 && (this.#a.length === 0 || o !== null) && this.#b(), o !== null && (tn.clear(), o.#m());
		}
	}
	#h(e, t, n) {
		e.f ^= x;
		for (var r = e.first; r !== null;) {
			var i = r.f, a = !!(i & 96);
			if (!(a && i & 1024 || i & 8192 || this.#c.has(r)) && r.fn !== null) {
				a ? r.f ^= x : i & 4 ? t.push(r) : xr(r) && (i & 16 && this.add_dirty_reaction(r, C), Dr(r));
				var o = r.first;
				if (o !== null) {
					r = o;
					continue;
				}
			}
			for (; r !== null;) {
				var s = r.next;
				if (s !== null) {
					r = s;
					break;
				}
				r = r.parent;
			}
		}
	}
	#g() {
		for (var e = this.prev; e !== null; e = e.prev) if (!e.is_fork && this.#_(e)) return e;
		return null;
	}
	#_(e) {
		for (let [t, [, n]] of this.current) if (!n && e.current.has(t)) return !0;
		return !1;
	}
	#v(e) {
		for (let [t, n] of e.current) !this.previous.has(t) && e.previous.has(t) && this.previous.set(t, e.previous.get(t)), this.current.set(t, n);
		for (let [t, n] of e.async_deriveds) {
			let e = this.async_deriveds.get(t);
			e && n.promise.then(e.resolve).catch(e.reject);
		}
		e.async_deriveds.clear(), this.transfer_reactions(e.#s);
		let t = (e) => {
			var n = e.reactions;
			if (n !== null && !(e.f & 2 && !(e.f & 6144))) for (let e of n) {
				var r = e.f;
				if (r & 2) t(e);
				else {
					var i = e;
					r & 4194320 && !this.async_deriveds.has(i) && (this.#s.delete(i), ht(i, S), this.schedule(i));
				}
			}
		};
		for (let e of this.current.keys()) t(e);
		this.oncommit(() => e.discard()), e.#b(), A = this, this.#m();
	}
	#y(e) {
		for (var t = 0; t < e.length; t += 1) _t(e[t], this.#s);
	}
	capture(e, t, n = !1) {
		e.v !== Se && !this.previous.has(e) && this.previous.set(e, e.v), e.f & 8388608 || (this.current.set(e, [t, n]), Rt?.set(e, t)), this.is_fork || (e.v = t);
	}
	activate() {
		A = this;
	}
	deactivate() {
		A = null, Rt = null;
	}
	flush() {
		try {
			Vt = !0, A = this, this.#m();
		} finally {
			Wt = 0, zt = null, Ht = null, Ut = null, Vt = !1, A = null, Rt = null, tn.clear();
		}
	}
	discard() {
		for (let e of this.#t) e(this);
		this.#t.clear();
		for (let e of this.async_deriveds.values()) e.reject(Ot);
		this.#b(), this.#i?.resolve();
	}
	register_created_effect(e) {
		this.#o.push(e);
	}
	increment(e, t) {
		if (this.#n += 1, e) {
			let e = this.#r.get(t) ?? 0;
			this.#r.set(t, e + 1);
		}
	}
	decrement(e, t) {
		if (--this.#n, e) {
			let e = this.#r.get(t) ?? 0;
			e === 1 ? this.#r.delete(t) : this.#r.set(t, e - 1);
		}
		this.#u || (this.#u = !0, ft(() => {
			this.#u = !1, this.linked && this.flush();
		}));
	}
	transfer_reactions(e) {
		for (let [t, n] of e) this.add_dirty_reaction(t, n);
		e.clear();
	}
	add_dirty_reaction(e, t) {
		(t === 2048 || this.#s.get(e) !== 2048) && this.#s.set(e, t);
	}
	oncommit(e) {
		this.#e.add(e);
	}
	ondiscard(e) {
		this.#t.add(e);
	}
	settled() {
		return (this.#i ??= g()).promise;
	}
	static ensure() {
		if (A === null) {
			let t = A = new e();
			!Vt && !Bt && ft(() => {
				t.started || t.flush();
			});
		}
		return A;
	}
	apply() {
		Rt = null;
	}
	schedule(e) {
		zt = e, e.b?.is_pending && e.f & 16777228 && !(e.f & 32768) ? e.b.defer_effect(e) : this.#a.push(e);
	}
	#b() {
		if (this.linked) {
			var e = this.prev, t = this.next;
			e === null || (e.next = t), t === null ? It = e : t.prev = e, this.linked = !1;
		}
	}
};
function qt(e) {
	var t = Bt, n = Lt;
	Lt = null, Bt = !0;
	try {
		var r;
		for (e && (qt(), r = e());;) {
			if (pt(), A === null) return r;
			A.flush();
		}
	} finally {
		Bt = t, Lt = n;
	}
}
function Jt() {
	try {
		We();
	} catch (e) {
		On(e, zt);
	}
}
var Yt = null;
function Xt(e) {
	var t = e.length;
	if (t !== 0) {
		for (var n = 0; n < t;) {
			var r = e[n++];
			if (!(r.f & 24576) && xr(r) && (Yt = /* @__PURE__ */ new Set(), Dr(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && Xn(r), Yt?.size > 0)) {
				tn.clear();
				for (let e of Yt) {
					if (e.f & 24576) continue;
					let t = [e], n = e.parent;
					for (; n !== null;) Yt.has(n) && (Yt.delete(n), t.push(n)), n = n.parent;
					for (let e = t.length - 1; e >= 0; e--) {
						let n = t[e];
						n.f & 24576 || Dr(n);
					}
				}
				Yt.clear();
			}
		}
		Yt = null;
	}
}
function Zt(e) {
	A.schedule(e);
}
function Qt(e, t) {
	if (!(e.f & 32 && e.f & 1024)) {
		e.f & 2048 ? t.d.push(e) : e.f & 4096 && t.m.push(e), ht(e, x);
		for (var n = e.first; n !== null;) Qt(n, t), n = n.next;
	}
}
function $t(e) {
	ht(e, x);
	for (var t = e.first; t !== null;) $t(t), t = t.next;
}
// node_modules/svelte/src/internal/client/reactivity/sources.js
var en = /* @__PURE__ */ new Set(), tn = /* @__PURE__ */ new Map(), nn = !1;
function rn(e, t) {
	return {
		f: 0,
		v: e,
		reactions: null,
		equals: Fe,
		rv: 0,
		wv: 0
	};
}
/*#__NO_SIDE_EFFECTS__*/
function j(e, t) {
	let n = rn(e, t);
	return dr(n), n;
}
/*#__NO_SIDE_EFFECTS__*/
function an(e, t = !1, n = !0) {
	let r = rn(e);
	return t || (r.equals = Le), Xe && n && rt !== null && rt.l !== null && (rt.l.s ??= []).push(r), r;
}
function M(e, t, n = !1) {
	return ar !== null && (!or || ar.f & 131072) && lt() && ar.f & 4325394 && (ur === null || !ur.has(e)) && Je(), cn(e, n ? fn(t) : t, Ut);
}
var on = null, sn = 0;
function cn(e, t, n = null) {
	if (!e.equals(t)) {
		rr ? tn.set(e, t) : tn.has(e) || tn.set(e, e.v);
		var r = Kt.ensure();
		if (r.capture(e, t), e.f & 2) {
			let t = e;
			e.f & 2048 && Mt(t), Rt === null && gt(t);
		}
		e.wv = br(), on = null, sn = 0, dn(e, S, n), on = null, lt() && cr !== null && cr.f & 1024 && !(cr.f & 96) && (mr === null ? hr([e]) : mr.push(e)), !r.is_fork && en.size > 0 && !nn && ln();
	}
	return t;
}
function ln() {
	nn = !1;
	for (let e of en) {
		e.f & 1024 && ht(e, C);
		let t;
		try {
			t = xr(e);
		} catch {
			t = !0;
		}
		t && Dr(e);
	}
	en.clear();
}
function un(e) {
	M(e, e.v + 1);
}
function dn(e, t, n) {
	var r = e.reactions;
	if (r !== null) {
		var i = lt(), a = r.length;
		if (sn += a, sn > 1e5 && on === null && (on = /* @__PURE__ */ new Set()), on !== null) {
			if (on.has(e)) return;
			on.add(e);
		}
		for (var o = 0; o < a; o++) {
			var s = r[o], c = s.f;
			if (i || s !== cr) {
				var l = (c & S) === 0;
				if (l && ht(s, t), c & 131072) en.add(s);
				else if (c & 2) {
					var u = s;
					Rt?.delete(u), dn(u, C, n);
				} else if (l) {
					var d = s;
					c & 16 && Yt !== null && Yt.add(d), n === null ? Zt(d) : n.push(d);
				}
			}
		}
	}
}
function fn(t) {
	if (typeof t != "object" || !t || ue in t || de in t) return t;
	let n = l(t);
	if (n !== s && n !== c) return t;
	var r = /* @__PURE__ */ new Map(), i = e(t), o = /* @__PURE__ */ j(0), u = null, d = vr, f = (e) => {
		if (vr === d) return e();
		var t = ar, n = vr;
		sr(null), yr(d);
		var r = e();
		return sr(t), yr(n), r;
	};
	return i && r.set("length", /* @__PURE__ */ j(t.length, u)), new Proxy(t, {
		defineProperty(e, t, n) {
			"value" in n && n.configurable !== !1 && n.enumerable !== !1 && n.writable !== !1 || Ke();
			var i = r.get(t);
			return i === void 0 ? f(() => {
				var e = /* @__PURE__ */ j(n.value, u);
				return r.set(t, e), e;
			}) : M(i, n.value, !0), !0;
		},
		deleteProperty(e, t) {
			var n = r.get(t);
			if (n === void 0) {
				if (t in e) {
					let e = f(() => /* @__PURE__ */ j(Se, u));
					r.set(t, e), un(o);
				}
			} else M(n, Se), un(o);
			return !0;
		},
		get(e, n, i) {
			if (n === ue) return t;
			var o = r.get(n), s = n in e;
			if (o === void 0 && (!s || a(e, n)?.writable) && (o = f(() => /* @__PURE__ */ j(fn(s ? e[n] : Se), u)), r.set(n, o)), o !== void 0) {
				var c = R(o);
				return c === Se ? void 0 : c;
			}
			return Reflect.get(e, n, i);
		},
		getOwnPropertyDescriptor(e, t) {
			this.has?.(e, t);
			var n = Reflect.getOwnPropertyDescriptor(e, t), i = r.get(t);
			if (i !== void 0) {
				var a = R(i);
				if (a === Se) return;
				if (n && "value" in n) n.value = a;
				else return {
					enumerable: !0,
					configurable: !0,
					value: a,
					writable: !0
				};
			}
			return n;
		},
		has(e, t) {
			if (t === ue) return !0;
			var n = r.get(t), i = n !== void 0 && n.v !== Se || Reflect.has(e, t);
			return (n !== void 0 || (cr !== null || ar !== null) && (!i || a(e, t)?.writable)) && (n === void 0 && (n = f(() => /* @__PURE__ */ j(i ? fn(e[t]) : Se, u)), r.set(t, n)), R(n) === Se) ? !1 : i;
		},
		set(e, t, n, s) {
			var c = r.get(t), l = t in e;
			if (i && t === "length") for (var d = n; d < c.v; d += 1) {
				var p = r.get(d + "");
				p === void 0 ? d in e && (p = f(() => /* @__PURE__ */ j(Se, u)), r.set(d + "", p)) : M(p, Se);
			}
			if (c === void 0) (!l || a(e, t)?.writable) && (c = f(() => /* @__PURE__ */ j(void 0, u)), M(c, fn(n)), r.set(t, c));
			else {
				l = c.v !== Se;
				var m = f(() => fn(n));
				M(c, m);
			}
			var h = Reflect.getOwnPropertyDescriptor(e, t);
			if (h?.set && h.set.call(s, n), !l) {
				if (i && typeof t == "string") {
					var g = r.get("length"), _ = Number(t);
					Number.isInteger(_) && _ >= g.v && M(g, _ + 1);
				}
				un(o);
			}
			return !0;
		},
		ownKeys(e) {
			R(o);
			var t = Reflect.ownKeys(e).filter((e) => {
				var t = r.get(e);
				return t === void 0 || t.v !== Se;
			});
			for (var [n, i] of r) i.v !== Se && !(n in e) && t.push(n);
			return t;
		},
		setPrototypeOf() {
			qe();
		}
	});
}
function pn(e) {
	try {
		if (typeof e == "object" && e && ue in e) return e[ue];
	} catch {}
	return e;
}
function mn(e, t) {
	return Object.is(pn(e), pn(t));
}
var hn, gn, _n, vn;
function yn() {
	if (hn === void 0) {
		hn = window, gn = /Firefox/.test(navigator.userAgent);
		var e = Element.prototype, t = Node.prototype, n = Text.prototype;
		_n = a(t, "firstChild").get, vn = a(t, "nextSibling").get, u(e) && (e[he] = void 0, e[me] = null, e[ge] = void 0, e.__e = void 0), u(n) && (n[_e] = void 0);
	}
}
function bn(e = "") {
	return document.createTextNode(e);
}
/*@__NO_SIDE_EFFECTS__*/
function xn(e) {
	return _n.call(e);
}
/*@__NO_SIDE_EFFECTS__*/
function Sn(e) {
	return vn.call(e);
}
function N(e, t) {
	if (!T) return /* @__PURE__ */ xn(e);
	var n = /* @__PURE__ */ xn(ke);
	if (n === null) n = ke.appendChild(bn());
	else if (t && n.nodeType !== 3) {
		var r = bn();
		return n?.before(r), Ae(r), r;
	}
	return t && En(n), Ae(n), n;
}
function P(e, t = !1) {
	if (!T) {
		var n = /* @__PURE__ */ xn(e);
		return n instanceof Comment && n.data === "" ? /* @__PURE__ */ Sn(n) : n;
	}
	if (t) {
		if (ke?.nodeType !== 3) {
			var r = bn();
			return ke?.before(r), Ae(r), r;
		}
		En(ke);
	}
	return ke;
}
function F(e, t = !1) {
	if (!T) return /* @__PURE__ */ xn(e);
	var n = N(e, t);
	return E(e), n;
}
function I(e, t = 1, n = !1) {
	let r = T ? ke : e;
	for (var i; t--;) i = r, r = /* @__PURE__ */ Sn(r);
	if (!T) return r;
	if (n) {
		if (r?.nodeType !== 3) {
			var a = bn();
			return r === null ? i?.after(a) : r.before(a), Ae(a), a;
		}
		En(r);
	}
	return Ae(r), r;
}
function Cn(e) {
	e.textContent = "";
}
function wn() {
	return !1;
}
function Tn(e, t, n) {
	return t == null || t === "http://www.w3.org/1999/xhtml" ? n ? document.createElement(e, { is: n }) : document.createElement(e) : n ? document.createElementNS(t, e, { is: n }) : document.createElementNS(t, e);
}
function En(e) {
	if (e.nodeValue.length < 65536) return;
	let t = e.nextSibling;
	for (; t !== null && t.nodeType === 3;) t.remove(), e.nodeValue += t.nodeValue, t = e.nextSibling;
}
function Dn(e) {
	var t = cr;
	if (t === null) return ar.f |= le, e;
	if (!(t.f & 32768) && !(t.f & 4)) throw e;
	On(e, t);
}
function On(e, t) {
	if (e === xe) throw e;
	if (!(t !== null && t.f & 16384)) {
		for (; t !== null;) {
			if (t.f & 128 && !(t.f & 33570816)) {
				if (!(t.f & 32768)) throw e;
				try {
					t.b.error(e);
					return;
				} catch (t) {
					e = t;
				}
			}
			t = t.parent;
		}
		throw e;
	}
}
// node_modules/svelte/src/internal/client/reactivity/effects.js
function kn(e) {
	cr === null && (ar === null && Ue(e), He()), rr && Ve(e);
}
function An(e, t) {
	var n = t.last;
	n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function jn(e, t) {
	var n = cr;
	n !== null && n.f & 8192 && (e |= w);
	var r = {
		ctx: rt,
		deps: null,
		nodes: null,
		f: e | S | 512,
		first: null,
		fn: t,
		last: null,
		next: null,
		parent: n,
		b: n && n.b,
		prev: null,
		teardown: null,
		wv: 0,
		ac: null
	};
	A?.register_created_effect(r);
	var i = r;
	if (e & 4) Ht === null ? Kt.ensure().schedule(r) : Ht.push(r);
	else if (t !== null) {
		try {
			Dr(r);
		} catch (e) {
			throw Jn(r), e;
		}
		i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && !(i.f & 524288) && (i = i.first, e & 16 && e & 65536 && i !== null && (i.f |= re));
	}
	if (i !== null && (i.parent = n, n !== null && An(i, n), ar !== null && ar.f & 2 && !(e & 64))) {
		var a = ar;
		(a.effects ??= []).push(i);
	}
	return r;
}
function Mn() {
	return ar !== null && !or;
}
function Nn(e) {
	let t = jn(8, null);
	return ht(t, x), t.teardown = e, t;
}
function Pn(e) {
	kn("$effect");
	var t = cr.f;
	if (!ar && t & 32 && rt !== null && !rt.i) {
		var n = rt;
		(n.e ??= []).push(e);
	} else return Fn(e);
}
function Fn(e) {
	return jn(4 | ae, e);
}
function In(e) {
	return kn("$effect.pre"), jn(8 | ae, e);
}
function Ln(e) {
	Kt.ensure();
	let t = jn(64 | ie, e);
	return () => {
		Jn(t);
	};
}
function Rn(e) {
	Kt.ensure();
	let t = jn(64 | ie, e);
	return (e = {}) => new Promise((n) => {
		e.outro ? Zn(t, () => {
			Jn(t), n(void 0);
		}) : (Jn(t), n(void 0));
	});
}
function zn(e) {
	return jn(4, e);
}
function Bn(e) {
	return jn(ce | ie, e);
}
function Vn(e, t = 0) {
	return jn(8 | t, e);
}
function L(e, t = [], n = [], r = []) {
	Ct(r, t, n, (t) => {
		jn(8, () => {
			e(...t.map(R));
		});
	});
}
function Hn(e, t = 0) {
	return jn(16 | t, e);
}
function Un(e, t = 0) {
	return jn(b | t, e);
}
function Wn(e) {
	return jn(32 | ie, e);
}
function Gn(e) {
	var t = e.teardown;
	if (t !== null) {
		let n = rr, r = ar;
		ir(!0), sr(null);
		try {
			t.call(null);
		} catch (t) {
			On(t, e.parent);
		} finally {
			ir(n), sr(r);
		}
	}
}
function Kn(e, t = !1) {
	var n = e.first;
	for (e.first = e.last = null; n !== null;) {
		let e = n.ac;
		e !== null && xt(() => {
			e.abort(ye);
		});
		var r = n.next;
		n.f & 64 ? n.parent = null : Jn(n, t), n = r;
	}
}
function qn(e) {
	for (var t = e.first; t !== null;) {
		var n = t.next;
		t.f & 32 || Jn(t), t = n;
	}
}
function Jn(e, t = !0) {
	var n = !1;
	(t || e.f & 262144) && e.nodes !== null && e.nodes.end !== null && (Yn(e.nodes.start, e.nodes.end), n = !0), e.f |= ne, Kn(e, t && !n), Er(e, 0);
	var r = e.nodes && e.nodes.t;
	if (r !== null) for (let e of r) e.stop();
	Gn(e), e.f ^= ne, e.f |= ee;
	var i = e.parent;
	i !== null && i.first !== null && Xn(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function Yn(e, t) {
	for (; e !== null;) {
		var n = e === t ? null : /* @__PURE__ */ Sn(e);
		e.remove(), e = n;
	}
}
function Xn(e) {
	var t = e.parent, n = e.prev, r = e.next;
	n !== null && (n.next = r), r !== null && (r.prev = n), t !== null && (t.first === e && (t.first = r), t.last === e && (t.last = n));
}
function Zn(e, t, n = !0) {
	var r = [];
	e.f |= 256, Qn(e, r, !0);
	var i = () => {
		n && Jn(e), t && t();
	}, a = r.length;
	if (a > 0) {
		var o = () => --a || i();
		for (var s of r) s.out(o);
	} else i();
}
function Qn(e, t, n) {
	if (!(e.f & 8192)) {
		e.f ^= w;
		var r = e.nodes && e.nodes.t;
		if (r !== null) for (let e of r) (e.is_global || n) && t.push(e);
		for (var i = e.first; i !== null;) {
			var a = i.next;
			if (!(i.f & 64)) {
				var o = !!(i.f & 65536) || !!(i.f & 32) && !!(e.f & 16);
				Qn(i, t, o ? n : !1);
			}
			i = a;
		}
	}
}
function $n(e) {
	e.f &= -257, er(e, !0);
}
function er(e, t) {
	if (!(e.f & 256) && e.f & 8192) {
		e.f ^= w, e.f & 1024 || (ht(e, S), Kt.ensure().schedule(e));
		for (var n = e.first; n !== null;) {
			var r = n.next, i = !!(n.f & 65536) || !!(n.f & 32);
			er(n, i ? t : !1), n = r;
		}
		var a = e.nodes && e.nodes.t;
		if (a !== null) for (let e of a) (e.is_global || t) && e.in();
	}
}
function tr(e, t) {
	if (e.nodes) for (var n = e.nodes.start, r = e.nodes.end; n !== null;) {
		var i = n === r ? null : /* @__PURE__ */ Sn(n);
		t.append(n), n = i;
	}
}
// node_modules/svelte/src/internal/client/legacy.js
var nr = null, rr = !1;
function ir(e) {
	rr = e;
}
var ar = null, or = !1;
function sr(e) {
	ar = e;
}
var cr = null;
function lr(e) {
	cr = e;
}
var ur = null;
function dr(e) {
	ar !== null && (ar.f & 2097152 || ar.f & 2) && (ur ??= /* @__PURE__ */ new Set()).add(e);
}
var fr = null, pr = 0, mr = null;
function hr(e) {
	mr = e;
}
var gr = 1, _r = 0, vr = _r;
function yr(e) {
	vr = e;
}
function br() {
	return ++gr;
}
function xr(e) {
	var t = e.f;
	if (t & 2048) return !0;
	if (t & 4096) {
		for (var n = e.deps, r = n.length, i = 0; i < r; i++) {
			var a = n[i];
			if (xr(a) && Nt(a), a.wv > e.wv) return !0;
		}
		t & 512 && Rt === null && ht(e, x);
	}
	return !1;
}
function Sr(e, t, n = !0) {
	var r = e.reactions;
	if (r !== null && !(ur !== null && ur.has(e))) for (var i = 0; i < r.length; i++) {
		var a = r[i];
		a.f & 2 ? Sr(a, t, !1) : t === a && (n ? ht(a, S) : a.f & 1024 && ht(a, C), Zt(a));
	}
}
function Cr(e) {
	var t = fr, n = pr, r = mr, i = ar, a = ur, o = rt, s = or, c = vr, l = e.f;
	fr = null, pr = 0, mr = null, ar = l & 96 ? null : e, ur = null, it(e.ctx), or = !1, vr = ++_r, e.ac !== null && (xt(() => {
		e.ac.abort(ye);
	}), e.ac = null);
	try {
		e.f |= se;
		var u = e.fn, d = u();
		e.f |= te;
		var f = wr(e);
		if (lt() && mr !== null && !or && f !== null && !(e.f & 6146)) for (var p = 0; p < mr.length; p++) Sr(mr[p], e);
		if (i !== null && i !== e) {
			if (_r++, i.deps !== null) for (let e = 0; e < n; e += 1) i.deps[e].rv = _r;
			if (t !== null) for (let e of t) e.rv = _r;
			mr !== null && (r === null ? r = mr : r.push(...mr));
		}
		return e.f & 8388608 && (e.f ^= le), d;
	} catch (t) {
		return wr(e), Dn(t);
	} finally {
		e.f ^= se, fr = t, pr = n, mr = r, ar = i, ur = a, it(o), or = s, vr = c;
	}
}
function wr(e) {
	var t = e.deps, n = A?.is_fork;
	if (fr !== null) {
		var r;
		if (n || Er(e, pr), t !== null && pr > 0) for (t.length = pr + fr.length, r = 0; r < fr.length; r++) t[pr + r] = fr[r];
		else e.deps = t = fr;
		if (Mn() && e.f & 512) for (r = pr; r < t.length; r++) (t[r].reactions ??= []).push(e);
	} else !n && t !== null && pr < t.length && (Er(e, pr), t.length = pr);
	return t;
}
function Tr(e, r) {
	let i = r.reactions;
	if (i !== null) {
		var a = t.call(i, e);
		if (a !== -1) {
			var o = i.length - 1;
			o === 0 ? i = r.reactions = null : (i[a] = i[o], i.pop());
		}
	}
	if (i === null && r.f & 2 && (fr === null || !n.call(fr, r))) {
		var s = r;
		s.f & 512 && (s.f ^= 512), s.v !== Se && gt(s), s.ac !== null && xt(() => {
			s.ac.abort(ye), s.ac = null, ht(s, S);
		}), Pt(s), Er(s, 0);
	}
}
function Er(e, t) {
	var n = e.deps;
	if (n !== null) for (var r = t; r < n.length; r++) Tr(e, n[r]);
}
function Dr(e) {
	var t = e.f;
	if (!(t & 16384)) {
		ht(e, x);
		var n = cr;
		cr = e;
		try {
			t & 16777232 ? qn(e) : Kn(e), Gn(e);
			var r = Cr(e);
			e.teardown = typeof r == "function" ? r : null, e.wv = gr;
		} finally {
			cr = n;
		}
	}
}
async function Or() {
	await Promise.resolve(), qt();
}
function R(e) {
	var t = !!(e.f & 2);
	if (nr?.add(e), ar !== null && !or && !(cr !== null && cr.f & 16384) && (ur === null || !ur.has(e))) {
		var r = ar.deps;
		if (ar.f & 2097152) e.rv < _r && (e.rv = _r, fr === null && r !== null && r[pr] === e ? pr++ : fr === null ? fr = [e] : fr.push(e));
		else {
			ar.deps ??= [], n.call(ar.deps, e) || ar.deps.push(e);
			var i = e.reactions;
			i === null ? e.reactions = [ar] : n.call(i, ar) || i.push(ar);
		}
	}
	if (rr && tn.has(e)) return tn.get(e);
	if (t) {
		var a = e;
		if (rr) {
			var o = a.v;
			return (!(a.f & 1024) && a.reactions !== null || Ar(a)) && (o = Mt(a)), tn.set(a, o), o;
		}
		var s = !(a.f & 512) && !or && ar !== null && !!(ar.f & 512), c = (a.f & te) === 0;
		xr(a) && (s && (a.f |= 512), Nt(a)), s && !c && (Ft(a), kr(a));
	}
	if (Rt?.has(e)) return Rt.get(e);
	if (e.f & 8388608) throw e.v;
	return e.v;
}
function kr(e) {
	if (e.f |= 512, e.deps !== null) for (let r of e.deps) {
		var t = r.reactions;
		t === null ? r.reactions = [e] : n.call(t, e) || t.push(e), r.f & 2 && !(r.f & 512) && (Ft(r), kr(r));
	}
}
function Ar(e) {
	if (e.v === Se) return !0;
	if (e.deps === null) return !1;
	for (let t of e.deps) if (tn.has(t) || t.f & 2 && Ar(t)) return !0;
	return !1;
}
function jr(e) {
	var t = or;
	try {
		return or = !0, e();
	} finally {
		or = t;
	}
}
function Mr(e) {
	if (!(typeof e != "object" || !e || e instanceof EventTarget)) {
		if (ue in e) Nr(e);
		else if (!Array.isArray(e)) for (let t in e) {
			let n = e[t];
			typeof n == "object" && n && ue in n && Nr(n);
		}
	}
}
function Nr(e, t = /* @__PURE__ */ new Set()) {
	if (typeof e == "object" && e && !(e instanceof EventTarget) && !t.has(e)) {
		t.add(e), e instanceof Date && e.getTime();
		for (let n in e) try {
			Nr(e[n], t);
		} catch {}
		let n = l(e);
		if (n !== Object.prototype && n !== Array.prototype && n !== Map.prototype && n !== Set.prototype && n !== Date.prototype) {
			let t = o(n);
			for (let n in t) {
				let r = t[n].get;
				if (r) try {
					r.call(e);
				} catch {}
			}
		}
	}
}
// node_modules/svelte/src/utils.js
function Pr(e) {
	return e.endsWith("capture") && e !== "gotpointercapture" && e !== "lostpointercapture";
}
var Fr = [
	"beforeinput",
	"click",
	"change",
	"dblclick",
	"contextmenu",
	"focusin",
	"focusout",
	"input",
	"keydown",
	"keyup",
	"mousedown",
	"mousemove",
	"mouseout",
	"mouseover",
	"mouseup",
	"pointerdown",
	"pointermove",
	"pointerout",
	"pointerover",
	"pointerup",
	"touchend",
	"touchmove",
	"touchstart"
];
function Ir(e) {
	return Fr.includes(e);
}
var Lr = /* @__PURE__ */ "allowfullscreen.async.autofocus.autoplay.checked.controls.default.disabled.formnovalidate.indeterminate.inert.ismap.loop.multiple.muted.nomodule.novalidate.open.playsinline.readonly.required.reversed.seamless.selected.webkitdirectory.defer.disablepictureinpicture.disableremoteplayback".split("."), Rr = {
	formnovalidate: "formNoValidate",
	ismap: "isMap",
	nomodule: "noModule",
	playsinline: "playsInline",
	readonly: "readOnly",
	defaultvalue: "defaultValue",
	defaultchecked: "defaultChecked",
	srcobject: "srcObject",
	novalidate: "noValidate",
	allowfullscreen: "allowFullscreen",
	disablepictureinpicture: "disablePictureInPicture",
	disableremoteplayback: "disableRemotePlayback"
};
function zr(e) {
	return e = e.toLowerCase(), Rr[e] ?? e;
}
[...Lr];
var Br = ["touchstart", "touchmove"];
function Vr(e) {
	return Br.includes(e);
}
// node_modules/svelte/src/internal/client/dev/css.js
var Hr = Symbol("events"), Ur = /* @__PURE__ */ new Set(), Wr = /* @__PURE__ */ new Set();
function Gr(e, t, n, r = {}) {
	function i(e) {
		if (r.capture || Zr.call(t, e), !e.cancelBubble) return xt(() => n?.call(this, e));
	}
	return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, ft(() => {
		i.__removed || t.addEventListener(e, i, r);
	})) : t.addEventListener(e, i, r), i;
}
function Kr(e, t, n, r = {}) {
	var i = Gr(t, e, n, r);
	return () => {
		i.__removed = !0, e.removeEventListener(t, i, r);
	};
}
function qr(e, t, n, r, i) {
	var a = {
		capture: r,
		passive: i
	}, o = Gr(e, t, n, a);
	(t === document.body || t === window || t === document || t instanceof HTMLMediaElement) && Nn(() => {
		o.__removed = !0, t.removeEventListener(e, o, a);
	});
}
function z(e, t, n) {
	(t[Hr] ??= {})[e] = n;
}
function Jr(e) {
	for (var t = 0; t < e.length; t++) Ur.add(e[t]);
	for (var n of Wr) n(e);
}
var Yr = null, Xr = !1;
function Zr(e) {
	var t = this, n = t.ownerDocument, r = e.type, a = e.composedPath?.() || [], o = a[0] || e.target;
	Yr = e, Xr || (Xr = !0, setTimeout(() => {
		Xr = !1, Yr = null;
	}));
	var s = 0, c = Yr === e && e[Hr];
	if (c) {
		var l = a.indexOf(c);
		if (l !== -1 && (t === document || t === window)) {
			e[Hr] = t;
			return;
		}
		var u = a.indexOf(t);
		if (u === -1) return;
		l <= u && (s = l);
	}
	if (o = a[s] || e.target, o !== t) {
		i(e, "currentTarget", {
			configurable: !0,
			get() {
				return o || n;
			}
		});
		var d = ar, f = cr;
		sr(null), lr(null);
		try {
			for (var p, m = []; o !== null && o !== t;) {
				try {
					var h = o[Hr]?.[r];
					h == null || o.disabled && e.target !== o || h.call(o, e);
				} catch (e) {
					p ? m.push(e) : p = e;
				}
				if (e.cancelBubble) break;
				s++, o = s < a.length ? a[s] : null;
			}
			if (p) {
				for (let e of m) queueMicrotask(() => {
					throw e;
				});
				throw p;
			}
		} finally {
			e[Hr] = t, delete e.currentTarget, sr(d), lr(f);
		}
	}
}
// node_modules/svelte/src/internal/client/dom/reconciler.js
var Qr = globalThis?.window?.trustedTypes && /* @__PURE__ */ globalThis.window.trustedTypes.createPolicy("svelte-trusted-html", { createHTML: (e) => e });
function $r(e) {
	return Qr?.createHTML(e) ?? e;
}
function ei(e) {
	var t = Tn("template");
	return t.innerHTML = $r(e.replaceAll("<!>", "<!---->")), t.content;
}
// node_modules/svelte/src/internal/client/dom/template.js
function ti(e, t) {
	var n = cr;
	n.nodes === null && (n.nodes = {
		start: e,
		end: t,
		a: null,
		t: null
	});
}
/*#__NO_SIDE_EFFECTS__*/
function B(e, t) {
	var n = !!(t & 1), r = !!(t & 2), i, a = !e.startsWith("<!>");
	return () => {
		if (T) return ti(ke, null), ke;
		i === void 0 && (i = ei(a ? e : "<!>" + e), n || (i = /* @__PURE__ */ xn(i)));
		var t = r || gn ? document.importNode(i, !0) : i.cloneNode(!0);
		if (n) {
			var o = /* @__PURE__ */ xn(t), s = t.lastChild;
			ti(o, s);
		} else ti(t, t);
		return t;
	};
}
/*#__NO_SIDE_EFFECTS__*/
function ni(e, t, n = "svg") {
	var r = !e.startsWith("<!>"), i = !!(t & 1), a = `<${n}>${r ? e : "<!>" + e}</${n}>`, o;
	return () => {
		if (T) return ti(ke, null), ke;
		if (!o) {
			var e = /* @__PURE__ */ xn(ei(a));
			if (i) for (o = document.createDocumentFragment(); /* @__PURE__ */ xn(e);) o.appendChild(/* @__PURE__ */ xn(e));
			else o = /* @__PURE__ */ xn(e);
		}
		var t = o.cloneNode(!0);
		if (i) {
			var n = /* @__PURE__ */ xn(t), r = t.lastChild;
			ti(n, r);
		} else ti(t, t);
		return t;
	};
}
/*#__NO_SIDE_EFFECTS__*/
function ri(e, t) {
	return /* @__PURE__ */ ni(e, t, "svg");
}
function ii(e = "") {
	if (!T) {
		var t = bn(e + "");
		return ti(t, t), t;
	}
	var n = ke;
	return n.nodeType === 3 ? En(n) : (n.before(n = bn()), Ae(n)), ti(n, n), n;
}
function ai() {
	if (T) return ti(ke, null), ke;
	var e = document.createDocumentFragment(), t = document.createComment(""), n = bn();
	return e.append(t, n), ti(t, n), e;
}
function V(e, t) {
	if (T) {
		var n = cr;
		n.f & 32768 && n.nodes.end !== null || (n.nodes.end = ke), je();
	} else e !== null && e.before(t);
}
// node_modules/svelte/src/reactivity/create-subscriber.js
function oi(e) {
	let t = 0, n = rn(0), r;
	return () => {
		Mn() && (R(n), Vn(() => (t === 0 && (r = jr(() => e(() => un(n)))), t += 1, () => {
			ft(() => {
				--t, t === 0 && (r?.(), r = void 0, un(n));
			});
		})));
	};
}
// node_modules/svelte/src/internal/client/dom/blocks/boundary.js
var si = re | ie;
function ci(e, t, n, r) {
	new li(e, t, n, r);
}
var li = class {
	parent;
	is_pending = !1;
	transform_error;
	#e;
	#t = T ? ke : null;
	#n;
	#r;
	#i;
	#a = null;
	#o = null;
	#s = null;
	#c = null;
	#l = 0;
	#u = 0;
	#d = !1;
	#f = /* @__PURE__ */ new Map();
	#p = null;
	#m = oi(() => (this.#p = rn(this.#l), () => {
		this.#p = null;
	}));
	constructor(e, t, n, r) {
		this.#e = e, this.#n = t, this.#r = (e) => {
			var t = cr;
			t.b = this, t.f |= 128, n(e);
		}, this.parent = cr.b, this.transform_error = r ?? this.parent?.transform_error ?? ((e) => e), this.#i = Hn(() => {
			if (T) {
				let e = Pe(this.#t);
				je();
				let t = e === "[!";
				if (e.startsWith("[?")) {
					let t = JSON.parse(e.slice(2));
					this.#g(t);
				} else t ? this.#y() : this.#h();
			} else this.#b();
		}, si), T && (this.#e = ke);
	}
	#h() {
		try {
			this.#a = Wn(() => this.#r(this.#e));
		} catch (e) {
			this.error(e);
		}
	}
	#g(e) {
		let t = this.#n.failed, { reset: n, invoke_onerror: r } = this.#_(e);
		ft(r), t && (this.#s = Wn(() => {
			t(this.#e, () => e, () => n);
		}));
	}
	#_(e) {
		var t = !1, n = !1;
		let r = () => {
			this.#v() || (t ? De() : (t = !0, n && Ye(), this.#s !== null && Zn(this.#s, () => {
				this.#s = null;
			}), this.#S(() => {
				this.#b();
			})));
		};
		return {
			reset: r,
			invoke_onerror: () => {
				if (!this.#v()) try {
					n = !0, this.#n.onerror?.(e, r), n = !1;
				} catch (e) {
					On(e, this.#i && this.#i.parent);
				}
			}
		};
	}
	#v() {
		return (this.#i.f & (ee | ne)) !== 0;
	}
	#y() {
		let e = this.#n.pending;
		e && (this.is_pending = !0, this.#o = Wn(() => e(this.#e)), ft(() => {
			if (!this.#v()) {
				var e = this.#c = document.createDocumentFragment(), t = bn(), n = !1;
				e.append(t), this.#a = this.#S(() => {
					try {
						return Wn(() => this.#r(t));
					} catch (e) {
						try {
							this.error(e), n = !0;
						} catch (e) {
							On(e, this.#i.parent);
						}
						return null;
					}
				}), this.#a === null ? (this.#c = null, n && this.#x(A)) : this.#u === 0 && (this.#e.before(e), this.#c = null, Zn(this.#o, () => {
					this.#o = null;
				}), this.#x(A));
			}
		}));
	}
	#b() {
		try {
			if (this.is_pending = this.has_pending_snippet(), this.#u = 0, this.#l = 0, this.#a = Wn(() => {
				this.#r(this.#e);
			}), this.#u > 0) {
				var e = this.#c = document.createDocumentFragment();
				tr(this.#a, e);
				let t = this.#n.pending;
				this.#o = Wn(() => t(this.#e));
			} else this.#x(A);
		} catch (e) {
			this.error(e);
		}
	}
	#x(e) {
		this.is_pending = !1, e.transfer_reactions(this.#f);
	}
	defer_effect(e) {
		_t(e, this.#f);
	}
	is_rendered() {
		return !this.is_pending && (!this.parent || this.parent.is_rendered());
	}
	has_pending_snippet() {
		return !!this.#n.pending;
	}
	#S(e) {
		var t = cr, n = ar, r = rt;
		lr(this.#i), sr(this.#i), it(this.#i.ctx);
		try {
			return Kt.ensure(), e();
		} finally {
			lr(t), sr(n), it(r);
		}
	}
	#C(e, t) {
		this.has_pending_snippet() ? (this.#u += e, this.#u === 0 && (this.#x(t), this.#o && Zn(this.#o, () => {
			this.#o = null;
		}), this.#c &&= (this.#e.before(this.#c), null))) : this.parent && this.parent.#C(e, t);
	}
	update_pending_count(e, t) {
		this.#C(e, t), this.#l += e, !this.#p || this.#d || (this.#d = !0, ft(() => {
			this.#d = !1, this.#p && cn(this.#p, this.#l);
		}));
	}
	get_effect_pending() {
		return this.#m(), R(this.#p);
	}
	error(e) {
		if (e === xe || !this.#n.onerror && !this.#n.failed) throw e;
		A?.is_fork ? (this.#a && A.skip_effect(this.#a), this.#o && A.skip_effect(this.#o), this.#s && A.skip_effect(this.#s), A.oncommit(() => {
			this.#v() || this.#w(e);
		})) : this.#w(e);
	}
	#w(e) {
		this.#a &&= (Jn(this.#a), null), this.#o &&= (Jn(this.#o), null), this.#s &&= (Jn(this.#s), null), T && (Ae(this.#t), Me(), Ae(Ne()));
		let t = this.#n.failed, n = (e) => {
			if (this.#v()) return;
			let { reset: n, invoke_onerror: r } = this.#_(e);
			r(), t && !this.#v() && (this.#s = this.#S(() => {
				try {
					return Wn(() => {
						var r = cr;
						r.b = this, r.f |= 128, t(this.#e, () => e, () => n);
					});
				} catch (e) {
					return On(e, this.#i.parent), null;
				}
			}));
		};
		ft(() => {
			if (!this.#v()) {
				var t;
				try {
					t = this.transform_error(e);
				} catch (e) {
					On(e, this.#i && this.#i.parent);
					return;
				}
				typeof t == "object" && t && typeof t.then == "function" ? t.then(n, (e) => On(e, this.#i && this.#i.parent)) : n(t);
			}
		});
	}
};
function H(e, t) {
	var n = t == null ? "" : typeof t == "object" ? `${t}` : t;
	n !== (e[_e] ??= e.nodeValue) && (e[_e] = n, e.nodeValue = `${n}`);
}
function ui(e, t) {
	return fi(e, t);
}
var di = /* @__PURE__ */ new Map();
function fi(e, { target: t, anchor: n, props: i = {}, events: a, context: o, intro: s = !0, transformError: c }) {
	yn();
	var l = void 0, u = Rn(() => {
		var s = n ?? t.appendChild(bn());
		ci(s, { pending: () => {} }, (t) => {
			D({});
			var n = rt;
			if (o && (n.c = o), a && (i.$$events = a), T && ti(t, null), l = e(t, i) || ct(), T && (cr.nodes.end = ke, ke === null || ke.nodeType !== 8 || ke.data !== "]")) throw Te(), xe;
			O();
		}, c);
		var u = /* @__PURE__ */ new Set(), d = (e) => {
			for (var n = 0; n < e.length; n++) {
				var r = e[n];
				if (!u.has(r)) {
					u.add(r);
					var i = Vr(r);
					for (let e of [t, document]) {
						var a = di.get(e);
						a === void 0 && (a = /* @__PURE__ */ new Map(), di.set(e, a));
						var o = a.get(r);
						o === void 0 ? (e.addEventListener(r, Zr, { passive: i }), a.set(r, 1)) : a.set(r, o + 1);
					}
				}
			}
		};
		return d(r(Ur)), Wr.add(d), () => {
			for (var e of u) for (let n of [t, document]) {
				var r = di.get(n), i = r.get(e);
				--i == 0 ? (n.removeEventListener(e, Zr), r.delete(e), r.size === 0 && di.delete(n)) : r.set(e, i);
			}
			Wr.delete(d), s !== n && s.parentNode?.removeChild(s);
		};
	});
	return pi.set(l, u), l;
}
var pi = /* @__PURE__ */ new WeakMap();
function mi(e, t) {
	let n = pi.get(e);
	return n ? (pi.delete(e), n(t)) : Promise.resolve();
}
// node_modules/svelte/src/internal/client/dom/blocks/branches.js
var hi = class {
	anchor;
	#e = /* @__PURE__ */ new Map();
	#t = /* @__PURE__ */ new Map();
	#n = /* @__PURE__ */ new Map();
	#r = /* @__PURE__ */ new Set();
	#i = !0;
	constructor(e, t = !0) {
		this.anchor = e, this.#i = t;
	}
	#a = (e) => {
		if (this.#e.has(e)) {
			var t = this.#e.get(e), n = this.#t.get(t);
			if (n) $n(n), this.#r.delete(t);
			else {
				var r = this.#n.get(t);
				r && ($n(r.effect), this.#t.set(t, r.effect), this.#n.delete(t), r.fragment.lastChild.remove(), this.anchor.before(r.fragment), n = r.effect);
			}
			for (let [t, n] of this.#e) {
				if (this.#e.delete(t), t === e) break;
				let r = this.#n.get(n);
				r && (Jn(r.effect), this.#n.delete(n));
			}
			for (let [e, r] of this.#t) {
				if (e === t || this.#r.has(e)) continue;
				let i = () => {
					if (Array.from(this.#e.values()).includes(e)) {
						var t = document.createDocumentFragment();
						tr(r, t), t.append(bn()), this.#n.set(e, {
							effect: r,
							fragment: t
						});
					} else Jn(r);
					this.#r.delete(e), this.#t.delete(e);
				};
				this.#i || !n ? (this.#r.add(e), Zn(r, i, !1)) : i();
			}
		}
	};
	#o = (e) => {
		this.#e.delete(e);
		let t = Array.from(this.#e.values());
		for (let [e, n] of this.#n) t.includes(e) || (Jn(n.effect), this.#n.delete(e));
	};
	ensure(e, t) {
		var n = A, r = wn();
		if (t && !this.#t.has(e) && !this.#n.has(e)) {
			if (r) {
				var i = document.createDocumentFragment(), a = bn();
				i.append(a), this.#n.set(e, {
					effect: Wn(() => t(a)),
					fragment: i
				});
			} else this.#t.set(e, Wn(() => t(this.anchor)));
		}
		if (this.#e.set(n, e), r) {
			for (let [t, r] of this.#t) t === e ? n.unskip_effect(r) : n.skip_effect(r);
			for (let [t, r] of this.#n) t === e ? n.unskip_effect(r.effect) : n.skip_effect(r.effect);
			n.oncommit(this.#a), n.ondiscard(this.#o);
		} else T && (this.anchor = ke), this.#a(n);
	}
}, gi = 0, _i = 1, vi = 2;
function yi(e, t, n, r, i) {
	T && je();
	var a = lt(), o = Se, s = a ? rn(o) : /* @__PURE__ */ an(o, !1, !1), c = a ? rn(o) : /* @__PURE__ */ an(o, !1, !1), l = new hi(e);
	Hn(() => {
		var a = A, o = t(), u = !1;
		let d = T && p(o) === (e.data === "[!");
		if (d && (Ae(Ne()), Oe(!1)), p(o)) {
			var f = wt(), m = !1;
			let e = (e) => {
				if (!u) {
					m = !0, f(!1), A === a && a.deactivate(), Kt.ensure();
					try {
						e();
					} finally {
						Tt(!1), Bt || qt();
					}
				}
			};
			o.then((t) => {
				e(() => {
					cn(s, t), l.ensure(_i, r && ((e) => r(e, s)));
				});
			}, (t) => {
				e(() => {
					if (cn(c, t), l.ensure(vi, i && ((e) => i(e, c))), !i) throw c.v;
				});
			}), T ? l.ensure(gi, n) : ft(() => {
				m || e(() => {
					l.ensure(gi, n);
				});
			});
		} else cn(s, o), l.ensure(_i, r && ((e) => r(e, s)));
		return d && Oe(!0), () => {
			u = !0;
		};
	});
}
// node_modules/svelte/src/internal/client/dom/blocks/if.js
function U(e, t, n = !1) {
	var r;
	T && (r = ke, je());
	var i = new hi(e), a = n ? re : 0;
	function o(e, t) {
		if (T) {
			var n = Pe(r);
			if (e !== parseInt(n.substring(1))) {
				var a = Ne();
				Ae(a), i.anchor = a, Oe(!1), i.ensure(e, t), Oe(!0);
				return;
			}
		}
		i.ensure(e, t);
	}
	Hn(() => {
		var e = !1;
		t((t, n = 0) => {
			e = !0, o(n, t);
		}), e || o(-1, null);
	}, a);
}
// node_modules/svelte/src/internal/client/dom/blocks/key.js
var bi = Symbol("NaN");
function xi(e, t, n) {
	T && je();
	var r = new hi(e), i = !lt();
	Hn(() => {
		var e = t();
		e !== e && (e = bi), i && typeof e == "object" && e && (e = {}), r.ensure(e, n);
	});
}
// node_modules/svelte/src/internal/client/dom/blocks/each.js
function Si(e, t) {
	return t;
}
function Ci(e, t, n) {
	for (var i = [], a = t.length, o, s = t.length, c = 0; c < a; c++) {
		let n = t[c];
		Zn(n, () => {
			if (o) {
				if (o.pending.delete(n), o.done.add(n), o.pending.size === 0) {
					var t = e.outrogroups;
					wi(e, r(o.done)), t.delete(o), t.size === 0 && (e.outrogroups = null);
				}
			} else --s;
		}, !1);
	}
	if (s === 0) {
		var l = i.length === 0 && n !== null && e.pending.size === 0;
		if (l) {
			var u = n, d = u.parentNode;
			Cn(d), d.append(u), e.items.clear();
		}
		wi(e, t, !l);
	} else o = {
		pending: new Set(t),
		done: /* @__PURE__ */ new Set()
	}, (e.outrogroups ??= /* @__PURE__ */ new Set()).add(o);
}
function wi(e, t, n = !0) {
	var r;
	if (e.pending.size > 0) {
		r = /* @__PURE__ */ new Set();
		for (let t of e.pending.values()) for (let n of t) r.add(e.items.get(n).e);
	}
	for (var i = 0; i < t.length; i++) {
		var a = t[i];
		r?.has(a) ? (a.f |= oe, tr(a, document.createDocumentFragment())) : Jn(t[i], n);
	}
}
var Ti;
function Ei(t, n, i, a, o, s = null) {
	var c = t, l = /* @__PURE__ */ new Map();
	if (n & 4) {
		var u = t;
		c = T ? Ae(/* @__PURE__ */ xn(u)) : u.appendChild(bn());
	}
	T && je();
	var d = null, f = /* @__PURE__ */ At(() => {
		var t = i();
		return e(t) ? t : t == null ? [] : r(t);
	}), p = /* @__PURE__ */ new Map(), m = !0;
	function h(e) {
		if (!(_.effect.f & 16384)) {
			_.pending.delete(e);
			var t = R(f);
			_.fallback = d, Oi(_, t, c, n, a), d !== null && (t.length === 0 ? d.f & 33554432 ? (d.f ^= oe, Ai(d, null, c)) : $n(d) : Zn(d, () => {
				d = null;
			}));
		}
	}
	function g(e) {
		_.pending.delete(e);
	}
	var _ = {
		effect: Hn(() => {
			var e = R(f), t = e.length;
			let r = !1;
			T && Pe(c) === "[!" != (t === 0) && (c = Ne(), Ae(c), Oe(!1), r = !0);
			for (var u = /* @__PURE__ */ new Set(), _ = A, v = wn(), y = 0; y < t; y += 1) {
				T && ke.nodeType === 8 && ke.data === "]" && (c = ke, r = !0, Oe(!1));
				var b = e[y], x = a(b, y), S = m ? null : l.get(x);
				S ? (S.v && cn(S.v, b), S.i && cn(S.i, y), v && _.unskip_effect(S.e)) : (S = ki(l, m ? c : Ti ??= bn(), b, x, y, o, n, i), m || (S.e.f |= oe), l.set(x, S)), u.add(x);
			}
			if (t === 0 && s && !d && (m ? d = Wn(() => s(c)) : (d = Wn(() => s(Ti ??= bn())), d.f |= oe)), t > u.size && Be("", "", ""), T && t > 0 && Ae(Ne()), !m) {
				if (p.set(_, u), v) {
					for (let [e, t] of l) u.has(e) || _.skip_effect(t.e);
					_.oncommit(h), _.ondiscard(g);
				} else h(_);
			}
			r && Oe(!0), R(f);
		}),
		flags: n,
		items: l,
		pending: p,
		outrogroups: null,
		fallback: d
	};
	m = !1, T && (c = ke);
}
function Di(e) {
	for (; e !== null && !(e.f & 32);) e = e.next;
	return e;
}
function Oi(e, t, n, i, a) {
	var o = !!(i & 8), s = t.length, c = e.items, l = Di(e.effect.first), u, d = null, f, p = [], m = [], h, g, _, v;
	if (o) for (v = 0; v < s; v += 1) h = t[v], g = a(h, v), _ = c.get(g).e, _.f & 33554432 || (_.nodes?.a?.measure(), (f ??= /* @__PURE__ */ new Set()).add(_));
	for (v = 0; v < s; v += 1) {
		if (h = t[v], g = a(h, v), _ = c.get(g).e, e.outrogroups !== null) for (let t of e.outrogroups) t.pending.delete(_), t.done.delete(_);
		if (_.f & 8192 && ($n(_), o && (_.nodes?.a?.unfix(), (f ??= /* @__PURE__ */ new Set()).delete(_))), _.f & 33554432) {
			if (_.f ^= oe, _ === l) Ai(_, null, n);
			else {
				var y = d ? d.next : l;
				_ === e.effect.last && (e.effect.last = _.prev), _.prev && (_.prev.next = _.next), _.next && (_.next.prev = _.prev), ji(e, d, _), ji(e, _, y), Ai(_, y, n), d = _, p = [], m = [], l = Di(d.next);
				continue;
			}
		}
		if (_ !== l) {
			if (u !== void 0 && u.has(_)) {
				if (p.length < m.length) {
					var b = m[0], x;
					d = b.prev;
					var S = p[0], C = p[p.length - 1];
					for (x = 0; x < p.length; x += 1) Ai(p[x], b, n);
					for (x = 0; x < m.length; x += 1) u.delete(m[x]);
					ji(e, S.prev, C.next), ji(e, d, S), ji(e, C, b), l = b, d = C, --v, p = [], m = [];
				} else u.delete(_), Ai(_, l, n), ji(e, _.prev, _.next), ji(e, _, d === null ? e.effect.first : d.next), ji(e, d, _), d = _;
				continue;
			}
			for (p = [], m = []; l !== null && l !== _;) (u ??= /* @__PURE__ */ new Set()).add(l), m.push(l), l = Di(l.next);
			if (l === null) continue;
		}
		_.f & 33554432 || p.push(_), d = _, l = Di(_.next);
	}
	if (e.outrogroups !== null) {
		for (let t of e.outrogroups) t.pending.size === 0 && (wi(e, r(t.done)), e.outrogroups?.delete(t));
		e.outrogroups.size === 0 && (e.outrogroups = null);
	}
	if (l !== null || u !== void 0) {
		var w = [];
		if (u !== void 0) for (_ of u) _.f & 8192 || w.push(_);
		for (; l !== null;) !(l.f & 8192) && l !== e.fallback && w.push(l), l = Di(l.next);
		var ee = w.length;
		if (ee > 0) {
			var te = i & 4 && s === 0 ? n : null;
			if (o) {
				for (v = 0; v < ee; v += 1) w[v].nodes?.a?.measure();
				for (v = 0; v < ee; v += 1) w[v].nodes?.a?.fix();
			}
			Ci(e, w, te);
		}
	}
	o && ft(() => {
		if (f !== void 0) for (_ of f) _.nodes?.a?.apply();
	});
}
function ki(e, t, n, r, i, a, o, s) {
	var c = o & 1 ? o & 16 ? rn(n) : /* @__PURE__ */ an(n, !1, !1) : null, l = o & 2 ? rn(i) : null;
	return {
		v: c,
		i: l,
		e: Wn(() => (a(t, c ?? n, l ?? i, s), () => {
			e.delete(r);
		}))
	};
}
function Ai(e, t, n) {
	if (e.nodes) for (var r = e.nodes.start, i = e.nodes.end, a = t && !(t.f & 33554432) ? t.nodes.start : n; r !== null;) {
		var o = /* @__PURE__ */ Sn(r);
		if (a.before(r), r === i) return;
		r = o;
	}
}
function ji(e, t, n) {
	t === null ? e.effect.first = n : t.next = n, n === null ? e.effect.last = t : n.prev = t;
}
// node_modules/svelte/src/internal/client/dom/blocks/snippet.js
function Mi(e, t, ...n) {
	var r = new hi(e);
	Hn(() => {
		let e = t() ?? null;
		r.ensure(e, e && ((t) => e(t, ...n)));
	}, re);
}
// node_modules/svelte/src/internal/client/dom/blocks/svelte-component.js
function Ni(e, t, n) {
	var r;
	T && (r = ke, je());
	var i = new hi(e);
	Hn(() => {
		var e = t() ?? null;
		if (T && Pe(r) === "[" != (e !== null)) {
			var a = Ne();
			Ae(a), i.anchor = a, Oe(!1), i.ensure(e, e && ((t) => n(t, e))), Oe(!0);
		} else i.ensure(e, e && ((t) => n(t, e)));
	}, re);
}
// node_modules/svelte/src/internal/client/dom/css.js
function Pi(e, t) {
	zn(() => {
		e = cr?.parent?.nodes?.start ?? e;
		var n = e.getRootNode(), r = n.host ? n : n.head ?? n.ownerDocument.head;
		if (!r.querySelector("#" + t.hash)) {
			let e = Tn("style");
			e.id = t.hash, e.textContent = t.code, r.appendChild(e);
		}
	});
}
// node_modules/svelte/src/internal/client/dom/elements/actions.js
function Fi(e, t, n) {
	zn(() => {
		var r = jr(() => t(e, n?.()) || {});
		if (n && r?.update) {
			var i = !1, a = {};
			Vn(() => {
				var e = n();
				Mr(e), i && Ie(a, e) && (a = e, r.update(e));
			}), i = !0;
		}
		if (r?.destroy) return () => r.destroy();
	});
}
// node_modules/svelte/src/internal/client/dom/elements/attachments.js
function Ii(e, t) {
	var n = void 0, r;
	Un(() => {
		n !== (n = t()) && (r &&= (Jn(r), null), n && (r = Wn(() => {
			zn(() => n(e));
		})));
	});
}
// node_modules/clsx/dist/clsx.mjs
function Li(e) {
	var t, n, r = "";
	if (typeof e == "string" || typeof e == "number") r += e;
	else if (typeof e == "object") {
		if (Array.isArray(e)) {
			var i = e.length;
			for (t = 0; t < i; t++) e[t] && (n = Li(e[t])) && (r && (r += " "), r += n);
		} else for (n in e) e[n] && (r && (r += " "), r += n);
	}
	return r;
}
function Ri() {
	for (var e, t, n = 0, r = "", i = arguments.length; n < i; n++) (e = arguments[n]) && (t = Li(e)) && (r && (r += " "), r += t);
	return r;
}
// node_modules/svelte/src/internal/shared/attributes.js
function zi(e) {
	return typeof e == "object" ? Ri(e) : e ?? "";
}
var Bi = [..." 	\n\r\f\xA0\v﻿"];
function Vi(e, t, n) {
	var r = e == null ? "" : "" + e;
	if (t && (r = r ? r + " " + t : t), n) {
		for (var i of Object.keys(n)) if (n[i]) r = r ? r + " " + i : i;
		else if (r.length) for (var a = i.length, o = 0; (o = r.indexOf(i, o)) >= 0;) {
			var s = o + a;
			(o === 0 || Bi.includes(r[o - 1])) && (s === r.length || Bi.includes(r[s])) ? r = (o === 0 ? "" : r.substring(0, o)) + r.substring(s + 1) : o = s;
		}
	}
	return r === "" ? null : r;
}
function Hi(e, t = !1) {
	var n = t ? " !important;" : ";", r = "";
	for (var i of Object.keys(e)) {
		var a = e[i];
		a != null && a !== "" && (r += " " + i + ": " + a + n);
	}
	return r;
}
function Ui(e) {
	return e[0] !== "-" || e[1] !== "-" ? e.toLowerCase() : e;
}
function Wi(e, t) {
	if (t) {
		var n = "", r, i;
		if (Array.isArray(t) ? (r = t[0], i = t[1]) : r = t, e) {
			e = String(e).replaceAll(/\/\*.*?\*\//g, "").trim();
			var a = !1, o = 0, s = !1, c = [];
			r && c.push(...Object.keys(r).map(Ui)), i && c.push(...Object.keys(i).map(Ui));
			var l = 0, u = -1;
			let t = e.length;
			for (var d = 0; d < t; d++) {
				var f = e[d];
				if (s ? f === "/" && e[d - 1] === "*" && (s = !1) : a ? a === f && (a = !1) : f === "/" && e[d + 1] === "*" ? s = !0 : f === "\"" || f === "'" ? a = f : f === "(" ? o++ : f === ")" && o--, !s && a === !1 && o === 0) {
					if (f === ":" && u === -1) u = d;
					else if (f === ";" || d === t - 1) {
						if (u !== -1) {
							var p = Ui(e.substring(l, u).trim());
							if (!c.includes(p)) {
								f !== ";" && d++;
								var m = e.substring(l, d).trim();
								n += " " + m + ";";
							}
						}
						l = d + 1, u = -1;
					}
				}
			}
		}
		return r && (n += Hi(r)), i && (n += Hi(i, !0)), n = n.trim(), n === "" ? null : n;
	}
	return e == null ? null : String(e);
}
// node_modules/svelte/src/internal/client/dom/elements/class.js
function Gi(e, t, n, r, i, a) {
	var o = e[he];
	if (T || o !== n || o === void 0) {
		var s = Vi(n, r, a);
		T && s === e.getAttribute("class") || (s == null ? e.removeAttribute("class") : t ? e.className = s : e.setAttribute("class", s)), e[he] = n;
	} else if (a && i !== a) for (var c in a) {
		var l = !!a[c];
		(i == null || l !== !!i[c]) && e.classList.toggle(c, l);
	}
	return a;
}
// node_modules/svelte/src/internal/client/dom/elements/style.js
function Ki(e, t = {}, n, r) {
	for (var i in n) {
		var a = n[i];
		t[i] !== a && (n[i] == null ? e.style.removeProperty(i) : e.style.setProperty(i, a, r));
	}
}
function qi(e, t, n, r) {
	var i = e[ge];
	if (T || i !== t) {
		var a = Wi(t, r);
		T && a === e.getAttribute("style") || (a == null ? e.removeAttribute("style") : e.style.cssText = a), e[ge] = t;
	} else r && (Array.isArray(r) ? (Ki(e, n?.[0], r[0]), Ki(e, n?.[1], r[1], "important")) : Ki(e, n, r));
	return r;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/select.js
function Ji(e, t) {
	t ? e.hasAttribute("selected") || e.setAttribute("selected", "") : e.removeAttribute("selected");
}
function Yi(e, t) {
	var n = !("__defaultValue" in e);
	(n || e.__defaultValue !== t) && (e.__defaultValue = t, Xi(e, !n || "__value" in e));
}
function Xi(t, n) {
	var r = t.__defaultValue, i = t.multiple, a = i ? r ?? [] : null;
	if (!i || e(a)) {
		var o = t.selectedIndex, s = n && i ? new Set(t.selectedOptions) : null;
		for (var c of t.options) {
			var l = ea(c);
			Ji(c, i ? a.includes(l) : mn(l, r));
		}
		if (n) {
			if (s !== null) for (c of t.options) {
				var u = s.has(c);
				c.selected !== u && (c.selected = u);
			}
			else t.selectedIndex !== o && (t.selectedIndex = o);
		}
	}
}
function Zi(t, n, r = !1) {
	if (t.multiple) {
		if (n == null) return;
		if (!e(n)) return Ee();
		for (var i of t.options) i.selected = n.includes(ea(i));
	} else {
		for (i of t.options) if (mn(ea(i), n)) {
			i.selected = !0;
			return;
		}
		r && n === void 0 || (t.selectedIndex = -1);
	}
}
function Qi(e) {
	var t = new MutationObserver((t) => {
		t.every(ta) || ("__defaultValue" in e && Xi(e, !1), "__value" in e && Zi(e, e.__value));
	});
	t.observe(e, {
		childList: !0,
		subtree: !0,
		attributes: !0,
		attributeFilter: ["value"]
	}), Nn(() => {
		t.disconnect();
	});
}
function $i(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet(), i = !0;
	St(e, "change", (t) => {
		var i = t ? "[selected]" : ":checked", a;
		if (e.multiple) a = [].map.call(e.querySelectorAll(i), ea);
		else {
			var o = e.querySelector(i) ?? e.querySelector("option:not([disabled])");
			a = o && ea(o);
		}
		n(a), e.__value = a, A !== null && r.add(A);
	}), zn(() => {
		var a = t();
		if (e === document.activeElement) {
			var o = A;
			if (r.has(o)) return;
		}
		if (Zi(e, a, i), i && a === void 0) {
			var s = e.querySelector(":checked");
			s !== null && (a = ea(s), n(a));
		}
		e.__value = a, i = !1;
	});
}
function ea(e) {
	return "__value" in e ? e.__value : e.value;
}
function ta(e) {
	if (e.target.closest("selectedcontent") !== null) return !0;
	if (e.type === "childList") {
		var t = [...e.addedNodes, ...e.removedNodes];
		return t.length > 0 && t.every((e) => e.nodeName === "SELECTEDCONTENT");
	}
	return !1;
}
// node_modules/svelte/src/internal/client/dom/elements/attributes.js
var na = Symbol("class"), ra = Symbol("style"), ia = Symbol("is custom element"), aa = Symbol("is html"), oa = be ? "link" : "LINK", sa = be ? "input" : "INPUT", ca = be ? "option" : "OPTION", la = be ? "select" : "SELECT", ua = be ? "progress" : "PROGRESS";
function da(e) {
	if (T) {
		var t = !1, n = () => {
			if (!t) {
				if (t = !0, e.hasAttribute("value")) {
					var n = e.value;
					W(e, "value", null), e.value = n;
				}
				if (e.hasAttribute("checked")) {
					var r = e.checked;
					W(e, "checked", null), e.checked = r;
				}
			}
		};
		e[ve] = n, ft(n), bt();
	}
}
function fa(e, t) {
	var n = ga(e);
	n.value !== (n.value = t ?? void 0) && (e.value !== t || t === 0 && e.nodeName === ua) && (e.value = t ?? "");
}
function pa(e, t) {
	var n = ga(e);
	n.checked !== (n.checked = t ?? void 0) && (e.checked = t);
}
function W(e, t, n, r) {
	var i = ga(e);
	if (!(T && (i[t] = e.getAttribute(t), t === "src" || t === "srcset" || t === "href" && e.nodeName === oa))) {
		var a = i[t];
		a !== (i[t] = n) && (t === "loading" && (e[pe] = n), n == null ? e.removeAttribute(t) : typeof n != "string" && va(e).has(t) ? e[t] = n : (!T || typeof n != "number" && typeof n != "boolean" || a !== String(n)) && e.setAttribute(t, n));
	}
}
function ma(e, t, n, r, i = !1, a = !1) {
	T && i && e.nodeName === sa && ("defaultValue" in n || "defaultChecked" in n || da(e));
	var o = ga(e), s = o[ia], c = !o[aa];
	let l = T && s;
	l && Oe(!1);
	var u = t || {}, d = e.nodeName === ca, f = e.nodeName === la;
	try {
		for (var p in t) !(p in n) && p[0] + p[1] !== "$$" && (n[p] = null);
		n.class ? n.class = zi(n.class) : (r || n[na]) && (n.class = null), n[ra] && (n.style ??= null);
		var m = va(e);
		if (e.nodeName === sa && "type" in n && ("value" in n || "__value" in n)) {
			var h = n.type;
			(h !== u.type || h === void 0 && e.hasAttribute("type")) && (u.type = h, W(e, "type", h, a));
		}
		for (let i in n) {
			let l = n[i];
			if (d && i === "value" && l == null) e.value = e.__value = "", u[i] = l;
			else if (i === "class") Gi(e, e.namespaceURI === "http://www.w3.org/1999/xhtml", l, r, t?.[na], n[na]), u[i] = l, u[na] = n[na];
			else if (i === "style") qi(e, l, t?.[ra], n[ra]), u[i] = l, u[ra] = n[ra];
			else {
				var g = u[i];
				if (l !== g || l === void 0 && e.hasAttribute(i)) {
					u[i] = l;
					var _ = i[0] + i[1];
					if (_ !== "$$") {
						if (_ === "on") {
							let t = {}, n = "$$" + i, r = i.slice(2);
							var v = Ir(r);
							if (Pr(r) && (r = r.slice(0, -7), t.capture = !0), !v && g) {
								if (l != null) continue;
								e.removeEventListener(r, u[n], t), u[n] = null;
							}
							if (v) z(r, e, l), Jr([r]);
							else if (l != null) {
								function a(e) {
									u[i].call(this, e);
								}
								u[n] = Gr(r, e, a, t);
							}
						} else if (i === "style") W(e, i, l);
						else if (i === "autofocus") vt(e, !!l);
						else if (!s && (i === "__value" || i === "value" && l != null)) e.__value = l, (g == null || e.value !== l || l === 0 && e.nodeName === ua) && (e.value = l);
						else if (i === "selected" && d) Ji(e, l);
						else {
							var y = i;
							c || (y = zr(y));
							var b = y === "defaultValue" || y === "defaultChecked";
							if (f && y === "defaultValue") continue;
							if (l == null && !s && !b) {
								if (o[i] = null, y === "value" || y === "checked") {
									let n = e, r = t === void 0;
									if (y === "value") {
										let e = n.defaultValue;
										n.removeAttribute(y), n.defaultValue = e, n.value = n.__value = r ? e : null;
									} else {
										let e = n.defaultChecked;
										n.removeAttribute(y), n.defaultChecked = e, n.checked = r ? e : !1;
									}
								} else e.removeAttribute(i);
							} else b || (s || typeof l != "string") && m.has(y) ? (e[y] = l, y in o && (o[y] = Se)) : typeof l != "function" && W(e, y, l, a);
						}
					}
				}
			}
		}
	} finally {
		l && Oe(!0);
	}
	return u;
}
function ha(e, t, n = [], r = [], i = [], a, o = !1, s = !1) {
	Ct(i, n, r, (n) => {
		var r = void 0, i = {}, c = e.nodeName === la, l = !1;
		if (Un(() => {
			var u = t(...n.map(R)), d = ma(e, r, u, a, o, s);
			if (l && c) {
				var f = e;
				"defaultValue" in u && Yi(f, u.defaultValue), "value" in u && Zi(f, u.value);
			}
			for (let e of Object.getOwnPropertySymbols(i)) u[e] || Jn(i[e]);
			for (let t of Object.getOwnPropertySymbols(u)) {
				var p = u[t];
				t.description !== "@attach" || r && p === r[t] || (i[t] && Jn(i[t]), i[t] = Wn(() => Ii(e, () => p))), d[t] = p;
			}
			r = d;
		}), c) {
			var u = e;
			zn(() => {
				var e = r;
				"defaultValue" in e && Yi(u, e.defaultValue), Zi(u, e.value, !0), Qi(u);
			});
		}
		l = !0;
	});
}
function ga(e) {
	return e[me] ??= {
		[ia]: e.nodeName.includes("-"),
		[aa]: e.namespaceURI === Ce
	};
}
var _a = /* @__PURE__ */ new Map();
function va(e) {
	var t = e.getAttribute("is") || e.nodeName, n = _a.get(t);
	if (n) return n;
	_a.set(t, n = /* @__PURE__ */ new Set());
	for (var r, i = e, a = Element.prototype; a !== i;) {
		for (var s in r = o(i), r) r[s].set && s !== "innerHTML" && s !== "textContent" && s !== "innerText" && n.add(s);
		i = l(i);
	}
	return n;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/input.js
function ya(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet();
	St(e, "input", async (i) => {
		var a = i ? e.defaultValue : e.value;
		if (a = Ca(e) ? wa(a) : a, n(a), A !== null && r.add(A), await Or(), a !== (a = t())) {
			var o = e.selectionStart, s = e.selectionEnd, c = e.value.length;
			if (e.value = a ?? "", s !== null) {
				var l = e.value.length;
				o === s && s === c && l > c ? (e.selectionStart = l, e.selectionEnd = l) : (e.selectionStart = o, e.selectionEnd = Math.min(s, l));
			}
		}
	}), (T && e.defaultValue !== e.value || jr(t) == null && e.value) && (n(Ca(e) ? wa(e.value) : e.value), A !== null && r.add(A)), Vn(() => {
		var n = t();
		if (e === document.activeElement) {
			var i = A;
			if (r.has(i)) return;
		}
		Ca(e) && n === wa(e.value) || (e.type !== "date" || n || e.value) && n !== e.value && (e.value = n ?? "");
	});
}
var ba = /* @__PURE__ */ new Set();
function xa(e, t, n, r, i = r) {
	var a = n.getAttribute("type") === "checkbox", o = e;
	let s = !1;
	if (t !== null) for (var c of t) o = o[c] ??= [];
	o.push(n), St(n, "change", () => {
		var e = n.__value;
		a && (e = Sa(o, e, n.checked)), i(e);
	}, () => i(a ? [] : null)), Vn(() => {
		var e = r();
		T && n.defaultChecked !== n.checked ? s = !0 : a ? (e ||= [], n.checked = e.includes(n.__value)) : n.checked = mn(n.__value, e);
	}), Nn(() => {
		var e = o.indexOf(n);
		e !== -1 && o.splice(e, 1);
	}), ba.has(o) || (ba.add(o), ft(() => {
		o.sort((e, t) => e.compareDocumentPosition(t) === 4 ? -1 : 1), ba.delete(o);
	})), ft(() => {
		if (s) {
			var e = a ? Sa(o, e, n.checked) : o.find((e) => e.checked)?.__value;
			i(e);
		}
	});
}
function Sa(e, t, n) {
	for (var r = /* @__PURE__ */ new Set(), i = 0; i < e.length; i += 1) e[i].checked && r.add(e[i].__value);
	return n || r.delete(t), Array.from(r);
}
function Ca(e) {
	var t = e.type;
	return t === "number" || t === "range";
}
function wa(e) {
	return e === "" ? null : +e;
}
var Ta = /* @__PURE__ */ new class e {
	#e = /* @__PURE__ */ new WeakMap();
	#t;
	#n;
	static entries = /* @__PURE__ */ new WeakMap();
	constructor(e) {
		this.#n = e;
	}
	observe(e, t) {
		var n = this.#e.get(e) || /* @__PURE__ */ new Set();
		return n.add(t), this.#e.set(e, n), this.#r().observe(e, this.#n), () => {
			var n = this.#e.get(e);
			n.delete(t), n.size === 0 && (this.#e.delete(e), this.#t.unobserve(e));
		};
	}
	#r() {
		return this.#t ??= new ResizeObserver((t) => {
			for (var n of t) {
				e.entries.set(n.target, n);
				for (var r of this.#e.get(n.target) || []) r(n);
			}
		});
	}
}({ box: "border-box" });
function Ea(e, t, n) {
	var r = Ta.observe(e, () => n(e[t]));
	zn(() => (jr(() => n(e[t])), r));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/this.js
function Da(e, t) {
	return e === t || e?.[ue] === t;
}
function Oa(e = ct(), t, n, r) {
	var i = rt.r, a = cr;
	return zn(() => {
		var o, s;
		return Vn(() => {
			o = s, s = r?.() || [], jr(() => {
				Da(n(...s), e) || (t(e, ...s), o && Da(n(...o), e) && t(null, ...o));
			});
		}), () => {
			let r = a;
			for (; r !== i && r.parent !== null && r.parent.f & 33554432;) r = r.parent;
			let o = () => {
				s && Da(n(...s), e) && t(null, ...s);
			}, c = r.teardown;
			r.teardown = () => {
				o(), c?.();
			};
		};
	}), e;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/universal.js
function ka(e, t, n, r, i) {
	var a = () => {
		r(n[e]);
	};
	n.addEventListener(t, a), i ? Vn(() => {
		n[e] = i();
	}) : a(), (n === document.body || n === window || n === document) && Nn(() => {
		n.removeEventListener(t, a);
	});
}
// node_modules/svelte/src/internal/client/dom/legacy/lifecycle.js
function Aa(e = !1) {
	let t = rt, n = t.l.u;
	if (!n) return;
	let r = () => Mr(t.s);
	if (e) {
		let e = 0, n = {}, i = /* @__PURE__ */ Dt(() => {
			let r = !1, i = t.s;
			for (let e in i) i[e] !== n[e] && (n[e] = i[e], r = !0);
			return r && e++, e;
		});
		r = () => R(i);
	}
	n.b.length && In(() => {
		ja(t, r), h(n.b);
	}), Pn(() => {
		let e = jr(() => n.m.map(m));
		return () => {
			for (let t of e) typeof t == "function" && t();
		};
	}), n.a.length && Pn(() => {
		ja(t, r), h(n.a);
	});
}
function ja(e, t) {
	if (e.l.s) for (let t of e.l.s) R(t);
	t();
}
// node_modules/svelte/src/internal/client/reactivity/store.js
var Ma = !1;
function Na(e) {
	var t = Ma;
	try {
		return Ma = !1, [e(), Ma];
	} finally {
		Ma = t;
	}
}
// node_modules/svelte/src/internal/client/reactivity/props.js
var Pa = {
	get(e, t) {
		if (!e.exclude.has(t)) return e.props[t];
	},
	set(e, t) {
		return !1;
	},
	getOwnPropertyDescriptor(e, t) {
		if (!e.exclude.has(t) && t in e.props) return {
			enumerable: !0,
			configurable: !0,
			value: e.props[t]
		};
	},
	has(e, t) {
		return !e.exclude.has(t) && t in e.props;
	},
	ownKeys(e) {
		return Reflect.ownKeys(e.props).filter((t) => !e.exclude.has(t));
	}
};
/*#__NO_SIDE_EFFECTS__*/
function Fa(e, t, n) {
	return new Proxy({
		props: e,
		exclude: t
	}, Pa);
}
var Ia = {
	get(e, t) {
		let n = e.props.length;
		for (; n--;) {
			let r = e.props[n];
			if (d(r) && (r = r()), typeof r == "object" && r && t in r) return r[t];
		}
	},
	set(e, t, n) {
		let r = e.props.length;
		for (; r--;) {
			let i = e.props[r];
			d(i) && (i = i());
			let o = a(i, t);
			if (o && o.set) return o.set(n), !0;
		}
		return !1;
	},
	getOwnPropertyDescriptor(e, t) {
		let n = e.props.length;
		for (; n--;) {
			let r = e.props[n];
			if (d(r) && (r = r()), typeof r == "object" && r && t in r) {
				let e = a(r, t);
				return e && !e.configurable && (e.configurable = !0), e;
			}
		}
	},
	has(e, t) {
		if (t === ue || t === fe) return !1;
		for (let n of e.props) if (d(n) && (n = n()), n != null && t in n) return !0;
		return !1;
	},
	ownKeys(e) {
		let t = [];
		for (let n of e.props) if (d(n) && (n = n()), n) {
			for (let e in n) t.includes(e) || t.push(e);
			for (let e of Object.getOwnPropertySymbols(n)) t.includes(e) || t.push(e);
		}
		return t;
	}
};
function La(...e) {
	return new Proxy({ props: e }, Ia);
}
function G(e, t, n, r) {
	var i = !Xe || !!(n & 2), o = !!(n & 8), s = !!(n & 16), c = r, l = !0, u = void 0, d = () => s && i ? (u ??= /* @__PURE__ */ Dt(r), R(u)) : (l && (l = !1, c = s ? jr(r) : r), c);
	let f;
	if (o) {
		var p = ue in e || fe in e;
		f = a(e, t)?.set ?? (p && t in e ? (n) => e[t] = n : void 0);
	}
	var m, h = !1;
	o ? [m, h] = Na(() => e[t]) : m = e[t], m === void 0 && r !== void 0 && (m = d(), f && (i && Ge(t), f(m)));
	var g = i ? () => {
		var n = e[t];
		return n === void 0 ? d() : (l = !0, n);
	} : () => {
		var n = e[t];
		return n !== void 0 && (c = void 0), n === void 0 ? c : n;
	};
	if (i && !(n & 4)) return g;
	if (f) {
		var _ = e.$$legacy;
		return (function(e, t) {
			return arguments.length > 0 ? ((!i || !t || _ || h) && f(t ? g() : e), e) : g();
		});
	}
	var v = !1, y = (n & 1 ? Dt : At)(() => (v = !1, g()));
	o && R(y);
	var b = cr;
	return (function(e, t) {
		if (arguments.length > 0) {
			let n = t ? R(y) : i && o ? fn(e) : e;
			return M(y, n), v = !0, c !== void 0 && (c = n), e;
		}
		return rr && v || b.f & 16384 ? y.v : R(y);
	});
}
function Ra(e) {
	rt === null && Re("onMount"), Xe && rt.l !== null ? Ba(rt).m.push(e) : Pn(() => {
		let t = jr(e);
		if (typeof t == "function") return t;
	});
}
function za(e) {
	rt === null && Re("onDestroy"), Ra(() => () => jr(e));
}
function Ba(e) {
	var t = e.l;
	return t.u ??= {
		a: [],
		b: [],
		m: []
	};
}
// src/lib/api.ts
var Va = class extends Error {
	status;
	faults;
	constructor(e, t) {
		super(t.map((e) => e.message).join("; ")), this.status = e, this.faults = t;
	}
}, Ha = class {
	key;
	onEnded = () => {};
	constructor(e) {
		this.key = e;
	}
	get(e, t = {}, n) {
		return this.call("GET", e + Ua(t), void 0, n);
	}
	post(e, t, n) {
		return this.call("POST", e, t, n);
	}
	put(e, t, n) {
		return this.call("PUT", e, t, void 0, { "If-Match": `"${n}"` });
	}
	async follow(e, t, n, r) {
		let i = {
			...this.head(),
			"Content-Type": "application/json",
			Accept: "application/x-ndjson"
		}, a = (await this.fetched(e, {
			method: "POST",
			headers: i,
			signal: r,
			cache: "no-store",
			body: JSON.stringify(t)
		})).body.pipeThrough(new TextDecoderStream()).getReader(), o = "";
		for (;;) {
			let { value: e, done: t } = await a.read();
			if (t) throw new Va(0, [{
				code: "unreachable",
				message: ""
			}]);
			let r = (o + e).split("\n");
			o = r.pop();
			for (let e of r) {
				let t = JSON.parse(e);
				if (t.progress) n(t.progress);
				else if (t.answer) return t.answer;
				else throw new Va(422, t.faults ?? []);
			}
		}
	}
	async open(e, t, n) {
		return this.fetched(e, {
			headers: {
				...this.head(),
				...t
			},
			signal: n,
			cache: "no-store"
		});
	}
	head() {
		return { Authorization: `Bearer ${this.key}` };
	}
	async call(e, t, n, r, i = {}) {
		let a = {
			...this.head(),
			...i
		};
		n !== void 0 && (a["Content-Type"] = "application/json");
		let o = await this.fetched(t, {
			method: e,
			headers: a,
			cache: "no-store",
			...r ? { signal: r } : {},
			...n === void 0 ? {} : { body: JSON.stringify(n) }
		});
		return o.status === 204 ? void 0 : await o.json();
	}
	async fetched(e, t) {
		let n;
		try {
			n = await fetch(e, t);
		} catch (e) {
			throw e instanceof DOMException && e.name === "AbortError" ? e : new Va(0, [{
				code: "unreachable",
				message: ""
			}]);
		}
		if (n.ok) return n;
		throw n.status === 401 && this.onEnded(), new Va(n.status, await Wa(n));
	}
};
function Ua(e) {
	let t = Object.entries(e).filter(([, e]) => e !== void 0 && e !== "");
	return t.length ? `?${new URLSearchParams(t.map(([e, t]) => [e, String(t)]))}` : "";
}
async function Wa(e) {
	try {
		return (await e.json()).faults;
	} catch {
		return [{
			code: "refused",
			message: `${e.status} ${e.statusText}`
		}];
	}
}
// src/lib/links.ts
function Ga(e) {
	let t = new TextEncoder().encode(e);
	return btoa(String.fromCharCode(...t)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
function Ka(e) {
	let t = atob(e.replaceAll("-", "+").replaceAll("_", "/"));
	return new TextDecoder().decode(Uint8Array.from(t, (e) => e.charCodeAt(0)));
}
// src/lib/repeating.ts
function qa(e, t) {
	let n, r = !1, i = async () => {
		document.hidden || await t().catch(() => {}), r || (n = setTimeout(i, e));
	};
	return i(), () => {
		r = !0, clearTimeout(n);
	};
}
// src/lib/stream.ts
var Ja = 6e4, Ya = 1e4, Xa = class {
	rest = "";
	take(e) {
		let t = (this.rest + e).split("\n\n");
		this.rest = t.pop() ?? "";
		let n = [];
		for (let e of t) {
			let t = e.split("\n").filter((e) => e.startsWith("data: "));
			t.length && n.push(t.map((e) => e.slice(6)).join("\n"));
		}
		return n;
	}
}, Za = class {
	api;
	listener;
	after;
	stopping = new AbortController();
	pause = 500;
	state = "connecting";
	constructor(e, t, n) {
		this.api = e, this.listener = t, this.after = n, this.run();
	}
	stop() {
		this.stopping.abort();
	}
	say(e) {
		this.state = e, this.listener.told(e);
	}
	async run() {
		for (; !this.stopping.signal.aborted;) {
			this.say("connecting");
			try {
				await this.follow();
			} catch (e) {
				if (this.stopping.signal.aborted || e instanceof Va && e.status >= 400 && e.status < 500 && e.status !== 429) return;
			}
			this.say("lost"), await Qa(this.pause, this.stopping.signal), this.pause = Math.min(this.pause * 2, Ya);
		}
	}
	async follow() {
		let e = new AbortController(), t = AbortSignal.any([e.signal, this.stopping.signal]), n = await this.api.open("/v1/stream", { "Last-Event-ID": String(this.after) }, t);
		this.say("live"), this.pause = 500;
		let r = n.body.pipeThrough(new TextDecoderStream()).getReader(), i = new Xa(), a = setTimeout(() => e.abort(), Ja);
		try {
			for (;;) {
				let { done: t, value: n } = await r.read();
				if (t) return;
				clearTimeout(a), a = setTimeout(() => e.abort(), Ja);
				let o = i.take(n).map((e) => JSON.parse(e)).filter((e) => e.number > this.after);
				o.length && (this.after = o[o.length - 1].number, this.listener.took(o));
			}
		} finally {
			clearTimeout(a);
		}
	}
};
function Qa(e, t) {
	return new Promise((n) => {
		let r = setTimeout(n, e * (.8 + .4 * Math.random()));
		t.addEventListener("abort", () => (clearTimeout(r), n()), { once: !0 });
	});
}
// src/lib/shared_stream.ts
var $a = 1e3, eo = class {
	api;
	listener;
	after;
	stream = null;
	channel = null;
	leaving = new AbortController();
	release = () => {};
	constructor(e, t, n) {
		this.api = e, this.listener = t, this.after = n, this.begin();
	}
	stop() {
		this.leaving.abort(), this.stream?.stop(), this.release(), this.channel?.close();
	}
	async begin() {
		if (!navigator.locks) {
			this.stream = new Za(this.api, this.listener, this.after);
			return;
		}
		let e = `tocsin.${await to(this.api.key)}`;
		this.leaving.signal.aborted || (this.channel = new BroadcastChannel(e), this.channel.onmessage = ({ data: e }) => this.heard(e), this.tell({ hello: !0 }), await navigator.locks.request(e, { signal: this.leaving.signal }, () => this.lead()).catch(() => {}));
	}
	lead() {
		return this.stream = new Za(this.api, {
			told: (e) => {
				this.listener.told(e), this.tell({
					state: e,
					after: this.stream?.after ?? this.after
				});
			},
			took: (e) => {
				this.listener.took(e), this.tell({ found: e });
			}
		}, this.after), new Promise((e) => this.release = e);
	}
	tell(e) {
		this.leaving.signal.aborted || this.channel?.postMessage(e);
	}
	heard(e) {
		if ("hello" in e) this.stream && this.tell({
			state: this.stream.state,
			after: this.stream.after
		});
		else if (this.stream) return;
		else "state" in e ? (this.listener.told(e.state), e.after > this.after && this.catchUp()) : this.pass(e.found);
	}
	async catchUp() {
		let e = await this.api.get("/v1/detections", {
			newest: !0,
			limit: $a
		}).catch(() => null);
		e && !this.stream && this.pass(e.items.reverse());
	}
	pass(e) {
		let t = e.filter((e) => e.number > this.after);
		t.length && (this.after = t[t.length - 1].number, this.listener.took(t));
	}
};
async function to(e) {
	let t = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(e));
	return [...new Uint8Array(t).slice(0, 8)].map((e) => e.toString(16).padStart(2, "0")).join("");
}
// src/lib/texts.ts
var K = {
	name: "Tocsin",
	skip: "Skip to the content",
	views: {
		watch: "Watch",
		timeline: "Timeline",
		graph: "Graph",
		compose: "Compose",
		replay: "Replay"
	},
	signIn: {
		title: "Sign in",
		lead: "Watch composite events as they are detected, draw new ones, and ask why.",
		key: "API key",
		hint: "The operator's key was printed when the service first started; “tocsin service keys new NAME” makes others.",
		go: "Sign in",
		busy: "Signing in …",
		refused: "The service does not know this key.",
		sensor: "This is the key of a sensor, which only sends events.",
		ended: "The service does not accept this key any more. Sign in again: what you were working on is kept.",
		out: "Sign out"
	},
	connection: {
		live: "Live",
		connecting: "Connecting …",
		lost: "Connection lost: trying again",
		unreachable: "The service cannot be reached."
	},
	theme: {
		label: "Theme",
		auto: "Automatic",
		light: "Light",
		dark: "Dark"
	},
	zone: {
		label: "Times",
		local: "Local time",
		utc: "UTC"
	},
	close: "Close",
	retry: "Try again",
	loading: "Loading …",
	more: "Show more",
	severities: {
		critical: "critical",
		high: "high",
		medium: "medium",
		low: "low",
		informational: "informational",
		"": "none"
	},
	watch: {
		ledger: "Ledger",
		ledgerHint: "Events in against notifications out, since the service started counting.",
		events: "events accepted",
		duplicates: "repeats, counted once",
		refused: "events refused",
		detections: "detections",
		delivered: "notifications delivered",
		waiting: "waiting",
		dead: "dead letters",
		attemptsFailed: "attempts failed",
		rates: "Rates",
		ratesHint: "events and detections a second",
		eventsRate: "events/s",
		detectionsRate: "detections/s",
		queue: "bytes waiting to be evaluated",
		live: "Detections",
		filter: "Filter by rule or text",
		pause: "Pause",
		resume: "Resume",
		newer: (e) => `${e.toLocaleString("en-US")} newer`,
		none: "Nothing was detected yet. Send some events, or compose a rule.",
		noneMatch: "No detection matches the filter.",
		requests: "Requests",
		noRequests: "Nobody has asked to be notified yet. Compose the first rule.",
		request: "Request",
		owner: "Owner",
		found: "Detections",
		held: "Held",
		late: "Late",
		notifications: "Notifications",
		state: "State",
		enabled: "enabled",
		disabled: "disabled",
		failing: "failing",
		open: "Open",
		deliveriesOf: (e) => `Notifications of ${e}`,
		redrive: "Send dead letters again",
		redriven: (e) => e === 1 ? "1 dead letter is sent again." : `${e} dead letters are sent again.`,
		shadowOf: (e, t, n) => `Beside the request that it shadows: ${e} the same, ${t} only there, ${n} only here.`,
		noDeliveries: "No notifications: this request has no callback, or nothing was detected.",
		targets: "Targets",
		refusedTitle: "Refused and late events",
		refusedNone: "No event was refused.",
		reason: "Reason",
		at: "At",
		from: "From",
		text: "Event",
		operatorsOnly: "Only an operator's key may read this."
	},
	detection: {
		title: "Detection",
		why: "Why",
		asking: "Asking why …",
		constituents: "Constituents",
		met: "What had to hold",
		holds: "holds",
		fails: "does not hold",
		data: "Values",
		on: "Show on the timeline",
		rule: "Open the rule",
		took: (e) => `answered in ${e} ms`
	},
	whyNot: {
		title: "Why not?",
		ask: "Why not?",
		at: "At (leave it empty for now)",
		missing: "missing:",
		none: "Nothing came near.",
		near: (e) => e === 1 ? "1 condition away" : `${e} conditions away`,
		fired: (e) => e === 1 ? "It fired once in this stretch." : `It fired ${e} times in this stretch.`,
		tried: (e) => `${e.toLocaleString("en-US")} combinations were looked at.`,
		cut: "The search was cut short: nearer ones may exist."
	},
	timeline: {
		title: "Timeline",
		hint: "Drag to pan, turn the wheel to zoom, click a detection to ask why. Arrow keys pan, + and − zoom, Tab goes to detections.",
		stretch: "Stretch",
		hour: "Last hour",
		sixHours: "Last 6 hours",
		day: "Last day",
		all: "Everything kept",
		zoomIn: "Zoom in",
		zoomOut: "Zoom out",
		earlier: "Earlier",
		later: "Later",
		follow: "Follow",
		lanes: (e, t) => `${e.toLocaleString("en-US")} events and ${t.toLocaleString("en-US")} detections`,
		detections: "Detections",
		none: "No events are kept for this stretch.",
		cut: (e) => `Only the latest ${e.toLocaleString("en-US")} events are shown.`,
		noSource: "(no source)",
		list: "Detections in view"
	},
	examples: {
		title: "From examples",
		mark: "Mark examples",
		lead: "Click events on the timeline, or tick them in the list, to put them into the chosen example. Then rules are proposed that find what belongs together.",
		together: (e) => `Example ${e}: belongs together`,
		apart: (e) => `Example ${e}: does not belong together`,
		empty: "no events yet",
		remove: (e) => `Take ${e} out`,
		addTogether: "Another that belongs together",
		addApart: "One that does not",
		propose: "Propose rules",
		inView: "Events in view",
		tried: (e, t) => `${e === 1 ? "1 rule was" : `${e} rules were`} tried on ${t.toLocaleString("en-US")} events.`,
		none: "No rule was found.",
		found: (e, t) => `Finds ${e} of ${t} that belong together.`,
		wrong: (e, t) => `Finds ${e} of ${t} that do not.`,
		fires: (e, t) => `Would have fired ${t ? "more than " : ""}${e === 1 ? "once" : `${e.toLocaleString("en-US")} times`}.`,
		open: "Open in Compose"
	},
	graph: {
		title: "The graph that all rules share",
		none: "No rule is enabled, so there is no graph.",
		aggregated: (e) => `${e.toLocaleString("en-US")} parts: shown by rule and type. Choose a rule to see its parts.`,
		all: "All rules",
		only: "Rule",
		holds: (e) => `holds ${e.toLocaleString("en-US")}`,
		seen: "Events seen",
		bytes: "Bytes",
		asText: "As a table",
		rule: "Rule",
		shared: (e) => `used by ${e} rules`
	},
	compose: {
		title: "Compose",
		name: "Name",
		language: "Language",
		expression: "Expression",
		drawing: "Drawing",
		pieces: "Pieces",
		events: "Event types",
		operators: "Operators",
		noTypes: "No events have arrived yet: write any type.",
		newType: "Other type",
		add: "Add",
		remove: "Remove piece",
		undo: "Undo",
		redo: "Redo",
		copy: "Copy link",
		copied: "The link was copied.",
		tidy: "Tidy up",
		fresh: "New rule",
		settings: "Settings",
		window: "Window",
		windowHint: "for example 10 min; leave it empty for none",
		context: "Context",
		contextDefault: "the language's default",
		condition: "Condition",
		by: "By",
		byHint: "attributes that all events share, separated by commas",
		severity: "Severity",
		notify: "Notification",
		notifyHint: "for example {failed.ip} keeps guessing",
		callback: "Webhook",
		callbackHint: "https://… ; leave it empty to only keep and show detections",
		piece: "Piece",
		noPiece: "Select a piece to change it, or drag from its right edge to another piece to connect them.",
		orders: {
			gap: "each after the end of the one before",
			ends: "by their ends",
			global: "by the clocks of all sites",
			weak: "after or at the same time"
		},
		connect: "Flows into",
		nowhere: "nothing yet",
		goesOut: "the rule",
		notations: "In every notation",
		edit: "Edit this one",
		cannot: "cannot say this",
		nearest: "Nearest:",
		open: (e) => `The drawing is not complete: ${e}`,
		unconnected: (e) => `${e} flows into nothing.`,
		lacks: (e, t) => `${e} needs ${t}.`,
		empty: "draw something: choose an event type on the left.",
		fired: "Would have fired",
		firedNothing: "Say what is to be detected, and it is tried on the events that are kept.",
		firedNone: "Not once in the events that are kept.",
		firedTimes: (e, t) => `${e === 1 ? "Once" : `${e.toLocaleString("en-US")} times`} in ${t.toLocaleString("en-US")} events.`,
		soFar: (e) => `So far: ${Math.floor(e * 100)} % of the events have been looked at.`,
		misses: "Near misses",
		showMisses: "Show near misses",
		lookFurther: (e) => `Look in the last ${e.toLocaleString("en-US")} events`,
		lookedIn: (e, t, n) => n ? `In all ${e.toLocaleString("en-US")} events that it could take.` : `In the last ${e.toLocaleString("en-US")} events that it could take, since ${t}.`,
		trying: "Trying it on what happened …",
		compared: (e, t, n) => `Against the saved rule: ${e} the same, ${t} only new, ${n} only before.`,
		examples: "The first of them",
		save: "Save request",
		saveChange: "Save change",
		shadow: "Save as shadow",
		saved: (e, t) => `${e} is saved, version ${t}: it sees events from now on.`,
		changedSince: "Somebody else changed this request since you opened it. Nothing was saved: save again to replace their version, or take theirs.",
		theirs: (e, t) => `Version ${t}${e ? `, by ${e}` : ""}:`,
		takeTheirs: "Take theirs (undo brings yours back)",
		exportYaml: "Export YAML",
		exportPython: "Export Python",
		exportSvg: "Export SVG",
		faults: "What is wrong",
		kept: "Your draft is kept in this tab.",
		examplesTitle: "Start with an example"
	},
	replay: {
		title: "Replay",
		lead: "Step through events with a rule, forwards and back: what it holds after each event, and each detection as it forms.",
		rule: "Rule",
		choose: "Choose a rule",
		last: "Events",
		from: "From (leave it empty for the last events)",
		to: "To",
		waits: "What waits, by part",
		holdsNothing: "No part holds anything.",
		more: (e) => `and ${e.toLocaleString("en-US")} more`,
		ended: "What came to its end at this event",
		ends: {
			used: "used up",
			expired: "expired: it left the window",
			replaced: "replaced by what came",
			dropped: "dropped: it can go on no more"
		},
		holdingsCut: "There is more than can be shown: later events may hold more.",
		due: (e) => `Waits until ${e}.`,
		upload: "Or upload events (JSON lines)",
		start: "Load",
		brought: (e, t) => `${e}: ${t.toLocaleString("en-US")} events`,
		keptInstead: "Use the events that are kept instead",
		play: "Play",
		pause: "Pause",
		back: "Step back",
		forward: "Step forward",
		first: "To the beginning",
		end: "To the end",
		speed: "Speed",
		position: (e, t) => `Event ${e} of ${t}`,
		held: "Held after this event",
		change: (e) => e > 0 ? `+${e}` : `−${-e}`,
		found: "Detected here",
		none: "Nothing was detected at this event.",
		over: "After the last event: what was waited for.",
		cut: (e) => `Only the first ${e} steps are shown.`,
		example: "replay",
		noEvents: "There are no events to step through.",
		noFile: (e) => `Line ${e} is no event.`,
		detectionsSoFar: "Detections so far"
	}
}, no = "tocsin.key", ro = 1e4, io = 100, ao = 2e3, oo = new class {
	#e = /* @__PURE__ */ j(null);
	get api() {
		return R(this.#e);
	}
	set api(e) {
		M(this.#e, e);
	}
	#t = /* @__PURE__ */ j(!1);
	get ended() {
		return R(this.#t);
	}
	set ended(e) {
		M(this.#t, e, !0);
	}
	#n = /* @__PURE__ */ j("connecting");
	get state() {
		return R(this.#n);
	}
	set state(e) {
		M(this.#n, e, !0);
	}
	#r = /* @__PURE__ */ j(null);
	get status() {
		return R(this.#r);
	}
	set status(e) {
		M(this.#r, e);
	}
	#i = /* @__PURE__ */ j([]);
	get requests() {
		return R(this.#i);
	}
	set requests(e) {
		M(this.#i, e);
	}
	#a = /* @__PURE__ */ j([]);
	get rates() {
		return R(this.#a);
	}
	set rates(e) {
		M(this.#a, e);
	}
	#o = /* @__PURE__ */ j([]);
	get detections() {
		return R(this.#o);
	}
	set detections(e) {
		M(this.#o, e);
	}
	#s = /* @__PURE__ */ j(!1);
	get isOperator() {
		return R(this.#s);
	}
	set isOperator(e) {
		M(this.#s, e, !0);
	}
	stream = null;
	coming = [];
	isDue = !1;
	resting = () => {};
	before = null;
	async resume() {
		let e = sessionStorage.getItem(no);
		e && await this.signIn(e).catch(() => sessionStorage.removeItem(no));
	}
	async signIn(e) {
		let t = new Ha(e.trim()), n = await t.get("/v1/self");
		if (n.role === "sensor") throw new Va(403, [{
			code: "sensor",
			message: K.signIn.sensor
		}]);
		let r = await t.get("/v1/detections", {
			newest: !0,
			limit: 500
		});
		t.onEnded = () => this.end(!0), sessionStorage.setItem(no, t.key), this.isOperator = n.role === "operator", this.detections = r.items, this.api = t, this.ended = !1, this.stream = new eo(t, this, r.items[0]?.number ?? 0), await this.poll(), this.resting = qa(ao, () => this.poll());
	}
	signOut() {
		this.end(!1);
	}
	end(e) {
		this.api && (this.stream?.stop(), this.resting(), sessionStorage.removeItem(no), this.api = null, this.ended = e, this.status = null, this.rates = [], this.before = null);
	}
	async poll() {
		let e = this.api;
		if (e) try {
			this.requests = (await e.get("/v1/requests")).requests, this.isOperator && this.note(await e.get("/v1/status"));
		} catch {
			return;
		}
	}
	note(e) {
		let t = Date.parse(e.now) / 1e3, { events: n, detections: r } = e;
		if (this.before && t > this.before.at) {
			let e = t - this.before.at, i = (t) => Math.max(0, t / e), a = {
				at: t,
				events: i(n - this.before.events),
				detections: i(r - this.before.detections)
			};
			this.rates = [...this.rates.slice(-299), a];
		}
		this.before = {
			at: t,
			events: n,
			detections: r
		}, this.status = e;
	}
	told(e) {
		this.state = e;
	}
	took(e) {
		this.coming.push(...e), this.isDue || (this.isDue = !0, setTimeout(() => {
			this.isDue = !1;
			let e = this.coming.reverse();
			this.coming = [], this.detections = [...e, ...this.detections].slice(0, ro);
		}, io));
	}
}(), so = new class {
	#e = /* @__PURE__ */ j(fn(localStorage.getItem("tocsin.theme") ?? "auto"));
	get theme() {
		return R(this.#e);
	}
	set theme(e) {
		M(this.#e, e, !0);
	}
	#t = /* @__PURE__ */ j(localStorage.getItem("tocsin.utc") === "yes");
	get isUtc() {
		return R(this.#t);
	}
	set isUtc(e) {
		M(this.#t, e, !0);
	}
	setTheme(e) {
		this.theme = e, localStorage.setItem("tocsin.theme", e), this.apply();
	}
	setUtc(e) {
		this.isUtc = e, localStorage.setItem("tocsin.utc", e ? "yes" : "no");
	}
	apply() {
		document.documentElement.dataset.theme = this.theme;
	}
	get isDark() {
		return this.theme === "dark" || this.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches;
	}
	time(e, t = !1) {
		let n = new Date(e), r = this.isUtc ? { timeZone: "UTC" } : {}, i = n.toLocaleTimeString("en-GB", {
			hour: "2-digit",
			minute: "2-digit",
			second: "2-digit",
			...r
		});
		return t ? `${n.toLocaleDateString("en-CA", r)} ${i}${this.isUtc ? " UTC" : ""}` : i;
	}
}(), co = new class {
	#e = /* @__PURE__ */ j("watch");
	get view() {
		return R(this.#e);
	}
	set view(e) {
		M(this.#e, e, !0);
	}
	#t = /* @__PURE__ */ j(new URLSearchParams());
	get query() {
		return R(this.#t);
	}
	set query(e) {
		M(this.#t, e);
	}
	read() {
		let [e, t] = location.hash.replace(/^#\/?/, "").split("?");
		this.view = e || "watch", this.query = new URLSearchParams(t ?? "");
	}
	go(e, t = {}) {
		let n = new URLSearchParams(t).toString();
		location.hash = `/${e}${n ? `?${n}` : ""}`;
	}
}(), lo = ":root{--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light dark;--font:system-ui, -apple-system, \"Segoe UI\", Roboto, \"Helvetica Neue\", sans-serif;--mono:ui-monospace, \"SF Mono\", \"Cascadia Mono\", \"Roboto Mono\", \"DejaVu Sans Mono\", monospace;--ground:#f4f6f8;--panel:#fff;--sunk:#eef1f4;--line:#d5dbe1;--text:#16202a;--soft:#51606e;--accent:#0b6b73;--accent-ink:#fff;--accent-soft:#dff1f1;--focus:#0b6b73;--critical:#a3123a;--high:#b3361b;--medium:#85590a;--low:#2a5ba8;--informational:#566473;--good:#1b6e3c;--water:#3aa0ad;--shadow:0 1px 2px #10203014, 0 4px 16px #1020300d;--radius:12px}@media (prefers-color-scheme:dark){:root{--lightningcss-light: ;--lightningcss-dark:initial}}[data-theme=light]{--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light}[data-theme=dark]{--lightningcss-light: ;--lightningcss-dark:initial;color-scheme:dark}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--ground:#0d1318;--panel:#151d24;--sunk:#1c262e;--line:#2c3943;--text:#e6edf2;--soft:#a3b3bf;--accent:#5cc8cf;--accent-ink:#06262a;--accent-soft:#15363a;--focus:#7fdbe1;--critical:#ff8fa8;--high:#ff9f85;--medium:#f0c26a;--low:#8fb8ff;--informational:#a9b8c6;--good:#7ddba0;--water:#3f9fab;--shadow:0 1px 2px #0006, 0 6px 20px #00000040}}:root[data-theme=dark]{--ground:#0d1318;--panel:#151d24;--sunk:#1c262e;--line:#2c3943;--text:#e6edf2;--soft:#a3b3bf;--accent:#5cc8cf;--accent-ink:#06262a;--accent-soft:#15363a;--focus:#7fdbe1;--critical:#ff8fa8;--high:#ff9f85;--medium:#f0c26a;--low:#8fb8ff;--informational:#a9b8c6;--good:#7ddba0;--water:#3f9fab;--shadow:0 1px 2px #0006, 0 6px 20px #00000040}*{box-sizing:border-box}html,body,#app{height:100%}body{background:var(--ground);color:var(--text);font:15px/1.5 var(--font);-webkit-text-size-adjust:100%;margin:0}h1,h2,h3{text-wrap:balance;margin:0;line-height:1.25}h1{font-size:1.3rem}h2{font-size:1.02rem;font-weight:650}h3{font-size:.9rem;font-weight:650}p{margin:0}code,pre,.mono{font-family:var(--mono);font-size:.88em}a{color:var(--accent)}:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:6px}button,input,select,textarea{font:inherit;color:inherit}button,.button{background:var(--panel);border:1px solid var(--line);cursor:pointer;min-height:2.1rem;color:var(--text);white-space:nowrap;border-radius:8px;padding:.3rem .75rem;text-decoration:none}button:hover:not(:disabled){border-color:var(--accent)}button:disabled{opacity:.5;cursor:not-allowed}button.primary{background:var(--accent);color:var(--accent-ink);border-color:var(--accent);font-weight:600}button.plain{background:0 0;border-color:#0000}button[aria-pressed=true]{background:var(--accent-soft);border-color:var(--accent)}input,select,textarea{color:var(--text);background:var(--panel);border:1px solid var(--line);border-radius:8px;max-width:100%;min-height:2.1rem;padding:.35rem .6rem}input[aria-invalid=true]{border-color:var(--critical)}label{color:var(--soft);font-size:.85rem;display:block}table{border-collapse:collapse;width:100%;font-size:.9rem}th{text-align:left;color:var(--soft);font-size:.8rem;font-weight:600}th,td{border-bottom:1px solid var(--line);vertical-align:top;padding:.4rem .6rem}td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}tr:last-child td{border-bottom:0}.panel{background:var(--panel);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow);min-width:0;padding:1rem}.panel>header{flex-wrap:wrap;align-items:center;gap:.5rem .75rem;margin-bottom:.6rem;display:flex}.panel>header h2,.panel>header h1{margin-right:auto}.soft{color:var(--soft)}.small{font-size:.85rem}.empty{color:var(--soft);text-align:center;padding:1.5rem .5rem}.fault{border-left:4px solid var(--critical);background:var(--sunk);border-radius:6px;padding:.5rem .75rem}.told{border-left:4px solid var(--good);background:var(--sunk);border-radius:6px;padding:.5rem .75rem}.row{flex-wrap:wrap;align-items:center;gap:.5rem;display:flex}.scroll{overflow:auto}.hidden{clip-path:inset(50%);white-space:nowrap;width:1px;height:1px;position:absolute;overflow:hidden}.skip{background:var(--panel);z-index:50;border-radius:8px;padding:.5rem 1rem;position:absolute;top:.5rem;left:-100vw}.skip:focus{left:.5rem}@media (prefers-reduced-motion:reduce){*,:before,:after{scroll-behavior:auto!important;transition:none!important;animation:none!important}}";
// node_modules/svelte/src/internal/disclose-version.js
typeof window < "u" && ((window.__svelte ??= {}).v ??= /* @__PURE__ */ new Set()).add("5");
// node_modules/d3-dispatch/dist/d3-dispatch.mjs
var uo = { value: () => {} };
function fo() {
	for (var e = 0, t = arguments.length, n = {}, r; e < t; ++e) {
		if (!(r = arguments[e] + "") || r in n || /[\s.]/.test(r)) throw Error("illegal type: " + r);
		n[r] = [];
	}
	return new po(n);
}
function po(e) {
	this._ = e;
}
function mo(e, t) {
	return e.trim().split(/^|\s+/).map(function(e) {
		var n = "", r = e.indexOf(".");
		if (r >= 0 && (n = e.slice(r + 1), e = e.slice(0, r)), e && !t.hasOwnProperty(e)) throw Error("unknown type: " + e);
		return {
			type: e,
			name: n
		};
	});
}
po.prototype = fo.prototype = {
	constructor: po,
	on: function(e, t) {
		var n = this._, r = mo(e + "", n), i, a = -1, o = r.length;
		if (arguments.length < 2) {
			for (; ++a < o;) if ((i = (e = r[a]).type) && (i = ho(n[i], e.name))) return i;
		} else {
			if (t != null && typeof t != "function") throw Error("invalid callback: " + t);
			for (; ++a < o;) if (i = (e = r[a]).type) n[i] = go(n[i], e.name, t);
			else if (t == null) for (i in n) n[i] = go(n[i], e.name, null);
			return this;
		}
	},
	copy: function() {
		var e = {}, t = this._;
		for (var n in t) e[n] = t[n].slice();
		return new po(e);
	},
	call: function(e, t) {
		if ((i = arguments.length - 2) > 0) for (var n = Array(i), r = 0, i, a; r < i; ++r) n[r] = arguments[r + 2];
		if (!this._.hasOwnProperty(e)) throw Error("unknown type: " + e);
		for (a = this._[e], r = 0, i = a.length; r < i; ++r) a[r].value.apply(t, n);
	},
	apply: function(e, t, n) {
		if (!this._.hasOwnProperty(e)) throw Error("unknown type: " + e);
		for (var r = this._[e], i = 0, a = r.length; i < a; ++i) r[i].value.apply(t, n);
	}
};
function ho(e, t) {
	for (var n = 0, r = e.length, i; n < r; ++n) if ((i = e[n]).name === t) return i.value;
}
function go(e, t, n) {
	for (var r = 0, i = e.length; r < i; ++r) if (e[r].name === t) {
		e[r] = uo, e = e.slice(0, r).concat(e.slice(r + 1));
		break;
	}
	return n != null && e.push({
		name: t,
		value: n
	}), e;
}
// node_modules/d3-selection/dist/d3-selection.mjs
var _o = "http://www.w3.org/1999/xhtml", vo = {
	svg: "http://www.w3.org/2000/svg",
	xhtml: _o,
	xlink: "http://www.w3.org/1999/xlink",
	xml: "http://www.w3.org/XML/1998/namespace",
	xmlns: "http://www.w3.org/2000/xmlns/"
};
function yo(e) {
	var t = e += "", n = t.indexOf(":");
	return n >= 0 && (t = e.slice(0, n)) !== "xmlns" && (e = e.slice(n + 1)), vo.hasOwnProperty(t) ? {
		space: vo[t],
		local: e
	} : e;
}
function bo(e) {
	return function() {
		var t = this.ownerDocument, n = this.namespaceURI;
		return n === _o && t.documentElement.namespaceURI === _o ? t.createElement(e) : t.createElementNS(n, e);
	};
}
function xo(e) {
	return function() {
		return this.ownerDocument.createElementNS(e.space, e.local);
	};
}
function So(e) {
	var t = yo(e);
	return (t.local ? xo : bo)(t);
}
function Co() {}
function wo(e) {
	return e == null ? Co : function() {
		return this.querySelector(e);
	};
}
function To(e) {
	typeof e != "function" && (e = wo(e));
	for (var t = this._groups, n = t.length, r = Array(n), i = 0; i < n; ++i) for (var a = t[i], o = a.length, s = r[i] = Array(o), c, l, u = 0; u < o; ++u) (c = a[u]) && (l = e.call(c, c.__data__, u, a)) && ("__data__" in c && (l.__data__ = c.__data__), s[u] = l);
	return new pc(r, this._parents);
}
function Eo(e) {
	return e == null ? [] : Array.isArray(e) ? e : Array.from(e);
}
function Do() {
	return [];
}
function Oo(e) {
	return e == null ? Do : function() {
		return this.querySelectorAll(e);
	};
}
function ko(e) {
	return function() {
		return Eo(e.apply(this, arguments));
	};
}
function Ao(e) {
	e = typeof e == "function" ? ko(e) : Oo(e);
	for (var t = this._groups, n = t.length, r = [], i = [], a = 0; a < n; ++a) for (var o = t[a], s = o.length, c, l = 0; l < s; ++l) (c = o[l]) && (r.push(e.call(c, c.__data__, l, o)), i.push(c));
	return new pc(r, i);
}
function jo(e) {
	return function() {
		return this.matches(e);
	};
}
function Mo(e) {
	return function(t) {
		return t.matches(e);
	};
}
var No = Array.prototype.find;
function Po(e) {
	return function() {
		return No.call(this.children, e);
	};
}
function Fo() {
	return this.firstElementChild;
}
function Io(e) {
	return this.select(e == null ? Fo : Po(typeof e == "function" ? e : Mo(e)));
}
var Lo = Array.prototype.filter;
function Ro() {
	return Array.from(this.children);
}
function zo(e) {
	return function() {
		return Lo.call(this.children, e);
	};
}
function Bo(e) {
	return this.selectAll(e == null ? Ro : zo(typeof e == "function" ? e : Mo(e)));
}
function Vo(e) {
	typeof e != "function" && (e = jo(e));
	for (var t = this._groups, n = t.length, r = Array(n), i = 0; i < n; ++i) for (var a = t[i], o = a.length, s = r[i] = [], c, l = 0; l < o; ++l) (c = a[l]) && e.call(c, c.__data__, l, a) && s.push(c);
	return new pc(r, this._parents);
}
function Ho(e) {
	return Array(e.length);
}
function Uo() {
	return new pc(this._enter || this._groups.map(Ho), this._parents);
}
function Wo(e, t) {
	this.ownerDocument = e.ownerDocument, this.namespaceURI = e.namespaceURI, this._next = null, this._parent = e, this.__data__ = t;
}
Wo.prototype = {
	constructor: Wo,
	appendChild: function(e) {
		return this._parent.insertBefore(e, this._next);
	},
	insertBefore: function(e, t) {
		return this._parent.insertBefore(e, t);
	},
	querySelector: function(e) {
		return this._parent.querySelector(e);
	},
	querySelectorAll: function(e) {
		return this._parent.querySelectorAll(e);
	}
};
function Go(e) {
	return function() {
		return e;
	};
}
function Ko(e, t, n, r, i, a) {
	for (var o = 0, s, c = t.length, l = a.length; o < l; ++o) (s = t[o]) ? (s.__data__ = a[o], r[o] = s) : n[o] = new Wo(e, a[o]);
	for (; o < c; ++o) (s = t[o]) && (i[o] = s);
}
function qo(e, t, n, r, i, a, o) {
	var s, c, l = /* @__PURE__ */ new Map(), u = t.length, d = a.length, f = Array(u), p;
	for (s = 0; s < u; ++s) (c = t[s]) && (f[s] = p = o.call(c, c.__data__, s, t) + "", l.has(p) ? i[s] = c : l.set(p, c));
	for (s = 0; s < d; ++s) p = o.call(e, a[s], s, a) + "", (c = l.get(p)) ? (r[s] = c, c.__data__ = a[s], l.delete(p)) : n[s] = new Wo(e, a[s]);
	for (s = 0; s < u; ++s) (c = t[s]) && l.get(f[s]) === c && (i[s] = c);
}
function Jo(e) {
	return e.__data__;
}
function Yo(e, t) {
	if (!arguments.length) return Array.from(this, Jo);
	var n = t ? qo : Ko, r = this._parents, i = this._groups;
	typeof e != "function" && (e = Go(e));
	for (var a = i.length, o = Array(a), s = Array(a), c = Array(a), l = 0; l < a; ++l) {
		var u = r[l], d = i[l], f = d.length, p = Xo(e.call(u, u && u.__data__, l, r)), m = p.length, h = s[l] = Array(m), g = o[l] = Array(m);
		n(u, d, h, g, c[l] = Array(f), p, t);
		for (var _ = 0, v = 0, y, b; _ < m; ++_) if (y = h[_]) {
			for (_ >= v && (v = _ + 1); !(b = g[v]) && ++v < m;);
			y._next = b || null;
		}
	}
	return o = new pc(o, r), o._enter = s, o._exit = c, o;
}
function Xo(e) {
	return typeof e == "object" && "length" in e ? e : Array.from(e);
}
function Zo() {
	return new pc(this._exit || this._groups.map(Ho), this._parents);
}
function Qo(e, t, n) {
	var r = this.enter(), i = this, a = this.exit();
	return typeof e == "function" ? (r = e(r), r &&= r.selection()) : r = r.append(e + ""), t != null && (i = t(i), i &&= i.selection()), n == null ? a.remove() : n(a), r && i ? r.merge(i).order() : i;
}
function $o(e) {
	for (var t = e.selection ? e.selection() : e, n = this._groups, r = t._groups, i = n.length, a = r.length, o = Math.min(i, a), s = Array(i), c = 0; c < o; ++c) for (var l = n[c], u = r[c], d = l.length, f = s[c] = Array(d), p, m = 0; m < d; ++m) (p = l[m] || u[m]) && (f[m] = p);
	for (; c < i; ++c) s[c] = n[c];
	return new pc(s, this._parents);
}
function es() {
	for (var e = this._groups, t = -1, n = e.length; ++t < n;) for (var r = e[t], i = r.length - 1, a = r[i], o; --i >= 0;) (o = r[i]) && (a && o.compareDocumentPosition(a) ^ 4 && a.parentNode.insertBefore(o, a), a = o);
	return this;
}
function ts(e) {
	e ||= ns;
	function t(t, n) {
		return t && n ? e(t.__data__, n.__data__) : !t - !n;
	}
	for (var n = this._groups, r = n.length, i = Array(r), a = 0; a < r; ++a) {
		for (var o = n[a], s = o.length, c = i[a] = Array(s), l, u = 0; u < s; ++u) (l = o[u]) && (c[u] = l);
		c.sort(t);
	}
	return new pc(i, this._parents).order();
}
function ns(e, t) {
	return e < t ? -1 : e > t ? 1 : e >= t ? 0 : NaN;
}
function rs() {
	var e = arguments[0];
	return arguments[0] = this, e.apply(null, arguments), this;
}
function is() {
	return Array.from(this);
}
function as() {
	for (var e = this._groups, t = 0, n = e.length; t < n; ++t) for (var r = e[t], i = 0, a = r.length; i < a; ++i) {
		var o = r[i];
		if (o) return o;
	}
	return null;
}
function os() {
	let e = 0;
	for (let t of this) ++e;
	return e;
}
function ss() {
	return !this.node();
}
function cs(e) {
	for (var t = this._groups, n = 0, r = t.length; n < r; ++n) for (var i = t[n], a = 0, o = i.length, s; a < o; ++a) (s = i[a]) && e.call(s, s.__data__, a, i);
	return this;
}
function ls(e) {
	return function() {
		this.removeAttribute(e);
	};
}
function us(e) {
	return function() {
		this.removeAttributeNS(e.space, e.local);
	};
}
function ds(e, t) {
	return function() {
		this.setAttribute(e, t);
	};
}
function fs(e, t) {
	return function() {
		this.setAttributeNS(e.space, e.local, t);
	};
}
function ps(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? this.removeAttribute(e) : this.setAttribute(e, n);
	};
}
function ms(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? this.removeAttributeNS(e.space, e.local) : this.setAttributeNS(e.space, e.local, n);
	};
}
function hs(e, t) {
	var n = yo(e);
	if (arguments.length < 2) {
		var r = this.node();
		return n.local ? r.getAttributeNS(n.space, n.local) : r.getAttribute(n);
	}
	return this.each((t == null ? n.local ? us : ls : typeof t == "function" ? n.local ? ms : ps : n.local ? fs : ds)(n, t));
}
function gs(e) {
	return e.ownerDocument && e.ownerDocument.defaultView || e.document && e || e.defaultView;
}
function _s(e) {
	return function() {
		this.style.removeProperty(e);
	};
}
function vs(e, t, n) {
	return function() {
		this.style.setProperty(e, t, n);
	};
}
function ys(e, t, n) {
	return function() {
		var r = t.apply(this, arguments);
		r == null ? this.style.removeProperty(e) : this.style.setProperty(e, r, n);
	};
}
function bs(e, t, n) {
	return arguments.length > 1 ? this.each((t == null ? _s : typeof t == "function" ? ys : vs)(e, t, n ?? "")) : xs(this.node(), e);
}
function xs(e, t) {
	return e.style.getPropertyValue(t) || gs(e).getComputedStyle(e, null).getPropertyValue(t);
}
function Ss(e) {
	return function() {
		delete this[e];
	};
}
function Cs(e, t) {
	return function() {
		this[e] = t;
	};
}
function ws(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		n == null ? delete this[e] : this[e] = n;
	};
}
function Ts(e, t) {
	return arguments.length > 1 ? this.each((t == null ? Ss : typeof t == "function" ? ws : Cs)(e, t)) : this.node()[e];
}
function Es(e) {
	return e.trim().split(/^|\s+/);
}
function Ds(e) {
	return e.classList || new Os(e);
}
function Os(e) {
	this._node = e, this._names = Es(e.getAttribute("class") || "");
}
Os.prototype = {
	add: function(e) {
		this._names.indexOf(e) < 0 && (this._names.push(e), this._node.setAttribute("class", this._names.join(" ")));
	},
	remove: function(e) {
		var t = this._names.indexOf(e);
		t >= 0 && (this._names.splice(t, 1), this._node.setAttribute("class", this._names.join(" ")));
	},
	contains: function(e) {
		return this._names.indexOf(e) >= 0;
	}
};
function ks(e, t) {
	for (var n = Ds(e), r = -1, i = t.length; ++r < i;) n.add(t[r]);
}
function As(e, t) {
	for (var n = Ds(e), r = -1, i = t.length; ++r < i;) n.remove(t[r]);
}
function js(e) {
	return function() {
		ks(this, e);
	};
}
function Ms(e) {
	return function() {
		As(this, e);
	};
}
function Ns(e, t) {
	return function() {
		(t.apply(this, arguments) ? ks : As)(this, e);
	};
}
function Ps(e, t) {
	var n = Es(e + "");
	if (arguments.length < 2) {
		for (var r = Ds(this.node()), i = -1, a = n.length; ++i < a;) if (!r.contains(n[i])) return !1;
		return !0;
	}
	return this.each((typeof t == "function" ? Ns : t ? js : Ms)(n, t));
}
function Fs() {
	this.textContent = "";
}
function Is(e) {
	return function() {
		this.textContent = e;
	};
}
function Ls(e) {
	return function() {
		var t = e.apply(this, arguments);
		this.textContent = t ?? "";
	};
}
function Rs(e) {
	return arguments.length ? this.each(e == null ? Fs : (typeof e == "function" ? Ls : Is)(e)) : this.node().textContent;
}
function zs() {
	this.innerHTML = "";
}
function Bs(e) {
	return function() {
		this.innerHTML = e;
	};
}
function Vs(e) {
	return function() {
		var t = e.apply(this, arguments);
		this.innerHTML = t ?? "";
	};
}
function Hs(e) {
	return arguments.length ? this.each(e == null ? zs : (typeof e == "function" ? Vs : Bs)(e)) : this.node().innerHTML;
}
function Us() {
	this.nextSibling && this.parentNode.appendChild(this);
}
function Ws() {
	return this.each(Us);
}
function Gs() {
	this.previousSibling && this.parentNode.insertBefore(this, this.parentNode.firstChild);
}
function Ks() {
	return this.each(Gs);
}
function qs(e) {
	var t = typeof e == "function" ? e : So(e);
	return this.select(function() {
		return this.appendChild(t.apply(this, arguments));
	});
}
function Js() {
	return null;
}
function Ys(e, t) {
	var n = typeof e == "function" ? e : So(e), r = t == null ? Js : typeof t == "function" ? t : wo(t);
	return this.select(function() {
		return this.insertBefore(n.apply(this, arguments), r.apply(this, arguments) || null);
	});
}
function Xs() {
	var e = this.parentNode;
	e && e.removeChild(this);
}
function Zs() {
	return this.each(Xs);
}
function Qs() {
	var e = this.cloneNode(!1), t = this.parentNode;
	return t ? t.insertBefore(e, this.nextSibling) : e;
}
function $s() {
	var e = this.cloneNode(!0), t = this.parentNode;
	return t ? t.insertBefore(e, this.nextSibling) : e;
}
function ec(e) {
	return this.select(e ? $s : Qs);
}
function tc(e) {
	return arguments.length ? this.property("__data__", e) : this.node().__data__;
}
function nc(e) {
	return function(t) {
		e.call(this, t, this.__data__);
	};
}
function rc(e) {
	return e.trim().split(/^|\s+/).map(function(e) {
		var t = "", n = e.indexOf(".");
		return n >= 0 && (t = e.slice(n + 1), e = e.slice(0, n)), {
			type: e,
			name: t
		};
	});
}
function ic(e) {
	return function() {
		var t = this.__on;
		if (t) {
			for (var n = 0, r = -1, i = t.length, a; n < i; ++n) a = t[n], (!e.type || a.type === e.type) && a.name === e.name ? this.removeEventListener(a.type, a.listener, a.options) : t[++r] = a;
			++r ? t.length = r : delete this.__on;
		}
	};
}
function ac(e, t, n) {
	return function() {
		var r = this.__on, i, a = nc(t);
		if (r) {
			for (var o = 0, s = r.length; o < s; ++o) if ((i = r[o]).type === e.type && i.name === e.name) {
				this.removeEventListener(i.type, i.listener, i.options), this.addEventListener(i.type, i.listener = a, i.options = n), i.value = t;
				return;
			}
		}
		this.addEventListener(e.type, a, n), i = {
			type: e.type,
			name: e.name,
			value: t,
			listener: a,
			options: n
		}, r ? r.push(i) : this.__on = [i];
	};
}
function oc(e, t, n) {
	var r = rc(e + ""), i, a = r.length, o;
	if (arguments.length < 2) {
		var s = this.node().__on;
		if (s) {
			for (var c = 0, l = s.length, u; c < l; ++c) for (i = 0, u = s[c]; i < a; ++i) if ((o = r[i]).type === u.type && o.name === u.name) return u.value;
		}
	} else {
		for (s = t ? ac : ic, i = 0; i < a; ++i) this.each(s(r[i], t, n));
		return this;
	}
}
function sc(e, t, n) {
	var r = gs(e), i = r.CustomEvent;
	typeof i == "function" ? i = new i(t, n) : (i = r.document.createEvent("Event"), n ? (i.initEvent(t, n.bubbles, n.cancelable), i.detail = n.detail) : i.initEvent(t, !1, !1)), e.dispatchEvent(i);
}
function cc(e, t) {
	return function() {
		return sc(this, e, t);
	};
}
function lc(e, t) {
	return function() {
		return sc(this, e, t.apply(this, arguments));
	};
}
function uc(e, t) {
	return this.each((typeof t == "function" ? lc : cc)(e, t));
}
function* dc() {
	for (var e = this._groups, t = 0, n = e.length; t < n; ++t) for (var r = e[t], i = 0, a = r.length, o; i < a; ++i) (o = r[i]) && (yield o);
}
var fc = [null];
function pc(e, t) {
	this._groups = e, this._parents = t;
}
function mc() {
	return new pc([[document.documentElement]], fc);
}
function hc() {
	return this;
}
pc.prototype = mc.prototype = {
	constructor: pc,
	select: To,
	selectAll: Ao,
	selectChild: Io,
	selectChildren: Bo,
	filter: Vo,
	data: Yo,
	enter: Uo,
	exit: Zo,
	join: Qo,
	merge: $o,
	selection: hc,
	order: es,
	sort: ts,
	call: rs,
	nodes: is,
	node: as,
	size: os,
	empty: ss,
	each: cs,
	attr: hs,
	style: bs,
	property: Ts,
	classed: Ps,
	text: Rs,
	html: Hs,
	raise: Ws,
	lower: Ks,
	append: qs,
	insert: Ys,
	remove: Zs,
	clone: ec,
	datum: tc,
	on: oc,
	dispatch: uc,
	[Symbol.iterator]: dc
};
function gc(e) {
	return typeof e == "string" ? new pc([[document.querySelector(e)]], [document.documentElement]) : new pc([[e]], fc);
}
var _c = 0;
function vc() {
	return new yc();
}
function yc() {
	this._ = "@" + (++_c).toString(36);
}
yc.prototype = vc.prototype = {
	constructor: yc,
	get: function(e) {
		for (var t = this._; !(t in e);) if (!(e = e.parentNode)) return;
		return e[t];
	},
	set: function(e, t) {
		return e[this._] = t;
	},
	remove: function(e) {
		return this._ in e && delete e[this._];
	},
	toString: function() {
		return this._;
	}
};
function bc(e) {
	let t;
	for (; t = e.sourceEvent;) e = t;
	return e;
}
function xc(e, t) {
	if (e = bc(e), t === void 0 && (t = e.currentTarget), t) {
		var n = t.ownerSVGElement || t;
		if (n.createSVGPoint) {
			var r = n.createSVGPoint();
			return r.x = e.clientX, r.y = e.clientY, r = r.matrixTransform(t.getScreenCTM().inverse()), [r.x, r.y];
		}
		if (t.getBoundingClientRect) {
			var i = t.getBoundingClientRect();
			return [e.clientX - i.left - t.clientLeft, e.clientY - i.top - t.clientTop];
		}
	}
	return [e.pageX, e.pageY];
}
// node_modules/d3-drag/dist/d3-drag.mjs
var Sc = { passive: !1 }, Cc = {
	capture: !0,
	passive: !1
};
function wc(e) {
	e.stopImmediatePropagation();
}
function Tc(e) {
	e.preventDefault(), e.stopImmediatePropagation();
}
function Ec(e) {
	var t = e.document.documentElement, n = gc(e).on("dragstart.drag", Tc, Cc);
	"onselectstart" in t ? n.on("selectstart.drag", Tc, Cc) : (t.__noselect = t.style.MozUserSelect, t.style.MozUserSelect = "none");
}
function Dc(e, t) {
	var n = e.document.documentElement, r = gc(e).on("dragstart.drag", null);
	t && (r.on("click.drag", Tc, Cc), setTimeout(function() {
		r.on("click.drag", null);
	}, 0)), "onselectstart" in n ? r.on("selectstart.drag", null) : (n.style.MozUserSelect = n.__noselect, delete n.__noselect);
}
var Oc = (e) => () => e;
function kc(e, { sourceEvent: t, subject: n, target: r, identifier: i, active: a, x: o, y: s, dx: c, dy: l, dispatch: u }) {
	Object.defineProperties(this, {
		type: {
			value: e,
			enumerable: !0,
			configurable: !0
		},
		sourceEvent: {
			value: t,
			enumerable: !0,
			configurable: !0
		},
		subject: {
			value: n,
			enumerable: !0,
			configurable: !0
		},
		target: {
			value: r,
			enumerable: !0,
			configurable: !0
		},
		identifier: {
			value: i,
			enumerable: !0,
			configurable: !0
		},
		active: {
			value: a,
			enumerable: !0,
			configurable: !0
		},
		x: {
			value: o,
			enumerable: !0,
			configurable: !0
		},
		y: {
			value: s,
			enumerable: !0,
			configurable: !0
		},
		dx: {
			value: c,
			enumerable: !0,
			configurable: !0
		},
		dy: {
			value: l,
			enumerable: !0,
			configurable: !0
		},
		_: { value: u }
	});
}
kc.prototype.on = function() {
	var e = this._.on.apply(this._, arguments);
	return e === this._ ? this : e;
};
function Ac(e) {
	return !e.ctrlKey && !e.button;
}
function jc() {
	return this.parentNode;
}
function Mc(e, t) {
	return t ?? {
		x: e.x,
		y: e.y
	};
}
function Nc() {
	return navigator.maxTouchPoints || "ontouchstart" in this;
}
function Pc() {
	var e = Ac, t = jc, n = Mc, r = Nc, i = {}, a = fo("start", "drag", "end"), o = 0, s, c, l, u, d = 0;
	function f(e) {
		e.on("mousedown.drag", p).filter(r).on("touchstart.drag", g).on("touchmove.drag", _, Sc).on("touchend.drag touchcancel.drag", v).style("touch-action", "none").style("-webkit-tap-highlight-color", "rgba(0,0,0,0)");
	}
	function p(n, r) {
		if (!u && e.call(this, n, r)) {
			var i = y(this, t.call(this, n, r), n, r, "mouse");
			i && (gc(n.view).on("mousemove.drag", m, Cc).on("mouseup.drag", h, Cc), Ec(n.view), wc(n), l = !1, s = n.clientX, c = n.clientY, i("start", n));
		}
	}
	function m(e) {
		if (Tc(e), !l) {
			var t = e.clientX - s, n = e.clientY - c;
			l = t * t + n * n > d;
		}
		i.mouse("drag", e);
	}
	function h(e) {
		gc(e.view).on("mousemove.drag mouseup.drag", null), Dc(e.view, l), Tc(e), i.mouse("end", e);
	}
	function g(n, r) {
		if (e.call(this, n, r)) for (var i = n.changedTouches, a = t.call(this, n, r), o = i.length, s = 0, c; s < o; ++s) (c = y(this, a, n, r, i[s].identifier, i[s])) && (wc(n), c("start", n, i[s]));
	}
	function _(e) {
		for (var t = e.changedTouches, n = t.length, r = 0, a; r < n; ++r) (a = i[t[r].identifier]) && (Tc(e), a("drag", e, t[r]));
	}
	function v(e) {
		var t = e.changedTouches, n = t.length, r, a;
		for (u && clearTimeout(u), u = setTimeout(function() {
			u = null;
		}, 500), r = 0; r < n; ++r) (a = i[t[r].identifier]) && (wc(e), a("end", e, t[r]));
	}
	function y(e, t, r, s, c, l) {
		var u = a.copy(), d = xc(l || r, t), p, m, h;
		if ((h = n.call(e, new kc("beforestart", {
			sourceEvent: r,
			target: f,
			identifier: c,
			active: o,
			x: d[0],
			y: d[1],
			dx: 0,
			dy: 0,
			dispatch: u
		}), s)) != null) return p = h.x - d[0] || 0, m = h.y - d[1] || 0, function n(r, a, l) {
			var g = d, _;
			switch (r) {
				case "start":
					i[c] = n, _ = o++;
					break;
				case "end": delete i[c], --o;
				case "drag": d = xc(l || a, t), _ = o;
			}
			u.call(r, e, new kc(r, {
				sourceEvent: a,
				subject: h,
				target: f,
				identifier: c,
				active: _,
				x: d[0] + p,
				y: d[1] + m,
				dx: d[0] - g[0],
				dy: d[1] - g[1],
				dispatch: u
			}), s);
		};
	}
	return f.filter = function(t) {
		return arguments.length ? (e = typeof t == "function" ? t : Oc(!!t), f) : e;
	}, f.container = function(e) {
		return arguments.length ? (t = typeof e == "function" ? e : Oc(e), f) : t;
	}, f.subject = function(e) {
		return arguments.length ? (n = typeof e == "function" ? e : Oc(e), f) : n;
	}, f.touchable = function(e) {
		return arguments.length ? (r = typeof e == "function" ? e : Oc(!!e), f) : r;
	}, f.on = function() {
		var e = a.on.apply(a, arguments);
		return e === a ? f : e;
	}, f.clickDistance = function(e) {
		return arguments.length ? (d = (e = +e) * e, f) : Math.sqrt(d);
	}, f;
}
// node_modules/d3-color/dist/d3-color.mjs
function Fc(e, t, n) {
	e.prototype = t.prototype = n, n.constructor = e;
}
function Ic(e, t) {
	var n = Object.create(e.prototype);
	for (var r in t) n[r] = t[r];
	return n;
}
function Lc() {}
var Rc = .7, zc = 1 / Rc, Bc = "\\s*([+-]?\\d+)\\s*", Vc = "\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)\\s*", Hc = "\\s*([+-]?(?:\\d*\\.)?\\d+(?:[eE][+-]?\\d+)?)%\\s*", Uc = /^#([0-9a-f]{3,8})$/, Wc = RegExp(`^rgb\\(${Bc},${Bc},${Bc}\\)$`), Gc = RegExp(`^rgb\\(${Hc},${Hc},${Hc}\\)$`), Kc = RegExp(`^rgba\\(${Bc},${Bc},${Bc},${Vc}\\)$`), qc = RegExp(`^rgba\\(${Hc},${Hc},${Hc},${Vc}\\)$`), Jc = RegExp(`^hsl\\(${Vc},${Hc},${Hc}\\)$`), Yc = RegExp(`^hsla\\(${Vc},${Hc},${Hc},${Vc}\\)$`), Xc = {
	aliceblue: 15792383,
	antiquewhite: 16444375,
	aqua: 65535,
	aquamarine: 8388564,
	azure: 15794175,
	beige: 16119260,
	bisque: 16770244,
	black: 0,
	blanchedalmond: 16772045,
	blue: 255,
	blueviolet: 9055202,
	brown: 10824234,
	burlywood: 14596231,
	cadetblue: 6266528,
	chartreuse: 8388352,
	chocolate: 13789470,
	coral: 16744272,
	cornflowerblue: 6591981,
	cornsilk: 16775388,
	crimson: 14423100,
	cyan: 65535,
	darkblue: 139,
	darkcyan: 35723,
	darkgoldenrod: 12092939,
	darkgray: 11119017,
	darkgreen: 25600,
	darkgrey: 11119017,
	darkkhaki: 12433259,
	darkmagenta: 9109643,
	darkolivegreen: 5597999,
	darkorange: 16747520,
	darkorchid: 10040012,
	darkred: 9109504,
	darksalmon: 15308410,
	darkseagreen: 9419919,
	darkslateblue: 4734347,
	darkslategray: 3100495,
	darkslategrey: 3100495,
	darkturquoise: 52945,
	darkviolet: 9699539,
	deeppink: 16716947,
	deepskyblue: 49151,
	dimgray: 6908265,
	dimgrey: 6908265,
	dodgerblue: 2003199,
	firebrick: 11674146,
	floralwhite: 16775920,
	forestgreen: 2263842,
	fuchsia: 16711935,
	gainsboro: 14474460,
	ghostwhite: 16316671,
	gold: 16766720,
	goldenrod: 14329120,
	gray: 8421504,
	green: 32768,
	greenyellow: 11403055,
	grey: 8421504,
	honeydew: 15794160,
	hotpink: 16738740,
	indianred: 13458524,
	indigo: 4915330,
	ivory: 16777200,
	khaki: 15787660,
	lavender: 15132410,
	lavenderblush: 16773365,
	lawngreen: 8190976,
	lemonchiffon: 16775885,
	lightblue: 11393254,
	lightcoral: 15761536,
	lightcyan: 14745599,
	lightgoldenrodyellow: 16448210,
	lightgray: 13882323,
	lightgreen: 9498256,
	lightgrey: 13882323,
	lightpink: 16758465,
	lightsalmon: 16752762,
	lightseagreen: 2142890,
	lightskyblue: 8900346,
	lightslategray: 7833753,
	lightslategrey: 7833753,
	lightsteelblue: 11584734,
	lightyellow: 16777184,
	lime: 65280,
	limegreen: 3329330,
	linen: 16445670,
	magenta: 16711935,
	maroon: 8388608,
	mediumaquamarine: 6737322,
	mediumblue: 205,
	mediumorchid: 12211667,
	mediumpurple: 9662683,
	mediumseagreen: 3978097,
	mediumslateblue: 8087790,
	mediumspringgreen: 64154,
	mediumturquoise: 4772300,
	mediumvioletred: 13047173,
	midnightblue: 1644912,
	mintcream: 16121850,
	mistyrose: 16770273,
	moccasin: 16770229,
	navajowhite: 16768685,
	navy: 128,
	oldlace: 16643558,
	olive: 8421376,
	olivedrab: 7048739,
	orange: 16753920,
	orangered: 16729344,
	orchid: 14315734,
	palegoldenrod: 15657130,
	palegreen: 10025880,
	paleturquoise: 11529966,
	palevioletred: 14381203,
	papayawhip: 16773077,
	peachpuff: 16767673,
	peru: 13468991,
	pink: 16761035,
	plum: 14524637,
	powderblue: 11591910,
	purple: 8388736,
	rebeccapurple: 6697881,
	red: 16711680,
	rosybrown: 12357519,
	royalblue: 4286945,
	saddlebrown: 9127187,
	salmon: 16416882,
	sandybrown: 16032864,
	seagreen: 3050327,
	seashell: 16774638,
	sienna: 10506797,
	silver: 12632256,
	skyblue: 8900331,
	slateblue: 6970061,
	slategray: 7372944,
	slategrey: 7372944,
	snow: 16775930,
	springgreen: 65407,
	steelblue: 4620980,
	tan: 13808780,
	teal: 32896,
	thistle: 14204888,
	tomato: 16737095,
	turquoise: 4251856,
	violet: 15631086,
	wheat: 16113331,
	white: 16777215,
	whitesmoke: 16119285,
	yellow: 16776960,
	yellowgreen: 10145074
};
Fc(Lc, tl, {
	copy(e) {
		return Object.assign(new this.constructor(), this, e);
	},
	displayable() {
		return this.rgb().displayable();
	},
	hex: Zc,
	formatHex: Zc,
	formatHex8: Qc,
	formatHsl: $c,
	formatRgb: el,
	toString: el
});
function Zc() {
	return this.rgb().formatHex();
}
function Qc() {
	return this.rgb().formatHex8();
}
function $c() {
	return ml(this).formatHsl();
}
function el() {
	return this.rgb().formatRgb();
}
function tl(e) {
	var t, n;
	return e = (e + "").trim().toLowerCase(), (t = Uc.exec(e)) ? (n = t[1].length, t = parseInt(t[1], 16), n === 6 ? nl(t) : n === 3 ? new ol(t >> 8 & 15 | t >> 4 & 240, t >> 4 & 15 | t & 240, (t & 15) << 4 | t & 15, 1) : n === 8 ? rl(t >> 24 & 255, t >> 16 & 255, t >> 8 & 255, (t & 255) / 255) : n === 4 ? rl(t >> 12 & 15 | t >> 8 & 240, t >> 8 & 15 | t >> 4 & 240, t >> 4 & 15 | t & 240, ((t & 15) << 4 | t & 15) / 255) : null) : (t = Wc.exec(e)) ? new ol(t[1], t[2], t[3], 1) : (t = Gc.exec(e)) ? new ol(t[1] * 255 / 100, t[2] * 255 / 100, t[3] * 255 / 100, 1) : (t = Kc.exec(e)) ? rl(t[1], t[2], t[3], t[4]) : (t = qc.exec(e)) ? rl(t[1] * 255 / 100, t[2] * 255 / 100, t[3] * 255 / 100, t[4]) : (t = Jc.exec(e)) ? pl(t[1], t[2] / 100, t[3] / 100, 1) : (t = Yc.exec(e)) ? pl(t[1], t[2] / 100, t[3] / 100, t[4]) : Xc.hasOwnProperty(e) ? nl(Xc[e]) : e === "transparent" ? new ol(NaN, NaN, NaN, 0) : null;
}
function nl(e) {
	return new ol(e >> 16 & 255, e >> 8 & 255, e & 255, 1);
}
function rl(e, t, n, r) {
	return r <= 0 && (e = t = n = NaN), new ol(e, t, n, r);
}
function il(e) {
	return e instanceof Lc || (e = tl(e)), e ? (e = e.rgb(), new ol(e.r, e.g, e.b, e.opacity)) : new ol();
}
function al(e, t, n, r) {
	return arguments.length === 1 ? il(e) : new ol(e, t, n, r ?? 1);
}
function ol(e, t, n, r) {
	this.r = +e, this.g = +t, this.b = +n, this.opacity = +r;
}
Fc(ol, al, Ic(Lc, {
	brighter(e) {
		return e = e == null ? zc : zc ** +e, new ol(this.r * e, this.g * e, this.b * e, this.opacity);
	},
	darker(e) {
		return e = e == null ? Rc : Rc ** +e, new ol(this.r * e, this.g * e, this.b * e, this.opacity);
	},
	rgb() {
		return this;
	},
	clamp() {
		return new ol(dl(this.r), dl(this.g), dl(this.b), ul(this.opacity));
	},
	displayable() {
		return -.5 <= this.r && this.r < 255.5 && -.5 <= this.g && this.g < 255.5 && -.5 <= this.b && this.b < 255.5 && 0 <= this.opacity && this.opacity <= 1;
	},
	hex: sl,
	formatHex: sl,
	formatHex8: cl,
	formatRgb: ll,
	toString: ll
}));
function sl() {
	return `#${fl(this.r)}${fl(this.g)}${fl(this.b)}`;
}
function cl() {
	return `#${fl(this.r)}${fl(this.g)}${fl(this.b)}${fl((isNaN(this.opacity) ? 1 : this.opacity) * 255)}`;
}
function ll() {
	let e = ul(this.opacity);
	return `${e === 1 ? "rgb(" : "rgba("}${dl(this.r)}, ${dl(this.g)}, ${dl(this.b)}${e === 1 ? ")" : `, ${e})`}`;
}
function ul(e) {
	return isNaN(e) ? 1 : Math.max(0, Math.min(1, e));
}
function dl(e) {
	return Math.max(0, Math.min(255, Math.round(e) || 0));
}
function fl(e) {
	return e = dl(e), (e < 16 ? "0" : "") + e.toString(16);
}
function pl(e, t, n, r) {
	return r <= 0 ? e = t = n = NaN : n <= 0 || n >= 1 ? e = t = NaN : t <= 0 && (e = NaN), new gl(e, t, n, r);
}
function ml(e) {
	if (e instanceof gl) return new gl(e.h, e.s, e.l, e.opacity);
	if (e instanceof Lc || (e = tl(e)), !e) return new gl();
	if (e instanceof gl) return e;
	e = e.rgb();
	var t = e.r / 255, n = e.g / 255, r = e.b / 255, i = Math.min(t, n, r), a = Math.max(t, n, r), o = NaN, s = a - i, c = (a + i) / 2;
	return s ? (o = t === a ? (n - r) / s + (n < r) * 6 : n === a ? (r - t) / s + 2 : (t - n) / s + 4, s /= c < .5 ? a + i : 2 - a - i, o *= 60) : s = c > 0 && c < 1 ? 0 : o, new gl(o, s, c, e.opacity);
}
function hl(e, t, n, r) {
	return arguments.length === 1 ? ml(e) : new gl(e, t, n, r ?? 1);
}
function gl(e, t, n, r) {
	this.h = +e, this.s = +t, this.l = +n, this.opacity = +r;
}
Fc(gl, hl, Ic(Lc, {
	brighter(e) {
		return e = e == null ? zc : zc ** +e, new gl(this.h, this.s, this.l * e, this.opacity);
	},
	darker(e) {
		return e = e == null ? Rc : Rc ** +e, new gl(this.h, this.s, this.l * e, this.opacity);
	},
	rgb() {
		var e = this.h % 360 + (this.h < 0) * 360, t = isNaN(e) || isNaN(this.s) ? 0 : this.s, n = this.l, r = n + (n < .5 ? n : 1 - n) * t, i = 2 * n - r;
		return new ol(yl(e >= 240 ? e - 240 : e + 120, i, r), yl(e, i, r), yl(e < 120 ? e + 240 : e - 120, i, r), this.opacity);
	},
	clamp() {
		return new gl(_l(this.h), vl(this.s), vl(this.l), ul(this.opacity));
	},
	displayable() {
		return (0 <= this.s && this.s <= 1 || isNaN(this.s)) && 0 <= this.l && this.l <= 1 && 0 <= this.opacity && this.opacity <= 1;
	},
	formatHsl() {
		let e = ul(this.opacity);
		return `${e === 1 ? "hsl(" : "hsla("}${_l(this.h)}, ${vl(this.s) * 100}%, ${vl(this.l) * 100}%${e === 1 ? ")" : `, ${e})`}`;
	}
}));
function _l(e) {
	return e = (e || 0) % 360, e < 0 ? e + 360 : e;
}
function vl(e) {
	return Math.max(0, Math.min(1, e || 0));
}
function yl(e, t, n) {
	return (e < 60 ? t + (n - t) * e / 60 : e < 180 ? n : e < 240 ? t + (n - t) * (240 - e) / 60 : t) * 255;
}
var bl = Math.PI / 180, xl = 180 / Math.PI, Sl = 18, Cl = .96422, wl = 1, Tl = .82521, El = 4 / 29, Dl = 6 / 29, Ol = 3 * Dl * Dl, kl = Dl * Dl * Dl;
function Al(e) {
	if (e instanceof Ml) return new Ml(e.l, e.a, e.b, e.opacity);
	if (e instanceof zl) return Bl(e);
	e instanceof ol || (e = il(e));
	var t = Il(e.r), n = Il(e.g), r = Il(e.b), i = Nl((.2225045 * t + .7168786 * n + .0606169 * r) / wl), a, o;
	return t === n && n === r ? a = o = i : (a = Nl((.4360747 * t + .3850649 * n + .1430804 * r) / Cl), o = Nl((.0139322 * t + .0971045 * n + .7141733 * r) / Tl)), new Ml(116 * i - 16, 500 * (a - i), 200 * (i - o), e.opacity);
}
function jl(e, t, n, r) {
	return arguments.length === 1 ? Al(e) : new Ml(e, t, n, r ?? 1);
}
function Ml(e, t, n, r) {
	this.l = +e, this.a = +t, this.b = +n, this.opacity = +r;
}
Fc(Ml, jl, Ic(Lc, {
	brighter(e) {
		return new Ml(this.l + Sl * (e ?? 1), this.a, this.b, this.opacity);
	},
	darker(e) {
		return new Ml(this.l - Sl * (e ?? 1), this.a, this.b, this.opacity);
	},
	rgb() {
		var e = (this.l + 16) / 116, t = isNaN(this.a) ? e : e + this.a / 500, n = isNaN(this.b) ? e : e - this.b / 200;
		return t = Cl * Pl(t), e = wl * Pl(e), n = Tl * Pl(n), new ol(Fl(3.1338561 * t - 1.6168667 * e - .4906146 * n), Fl(-.9787684 * t + 1.9161415 * e + .033454 * n), Fl(.0719453 * t - .2289914 * e + 1.4052427 * n), this.opacity);
	}
}));
function Nl(e) {
	return e > kl ? e ** (1 / 3) : e / Ol + El;
}
function Pl(e) {
	return e > Dl ? e * e * e : Ol * (e - El);
}
function Fl(e) {
	return 255 * (e <= .0031308 ? 12.92 * e : 1.055 * e ** (1 / 2.4) - .055);
}
function Il(e) {
	return (e /= 255) <= .04045 ? e / 12.92 : ((e + .055) / 1.055) ** 2.4;
}
function Ll(e) {
	if (e instanceof zl) return new zl(e.h, e.c, e.l, e.opacity);
	if (e instanceof Ml || (e = Al(e)), e.a === 0 && e.b === 0) return new zl(NaN, 0 < e.l && e.l < 100 ? 0 : NaN, e.l, e.opacity);
	var t = Math.atan2(e.b, e.a) * xl;
	return new zl(t < 0 ? t + 360 : t, Math.sqrt(e.a * e.a + e.b * e.b), e.l, e.opacity);
}
function Rl(e, t, n, r) {
	return arguments.length === 1 ? Ll(e) : new zl(e, t, n, r ?? 1);
}
function zl(e, t, n, r) {
	this.h = +e, this.c = +t, this.l = +n, this.opacity = +r;
}
function Bl(e) {
	if (isNaN(e.h)) return new Ml(e.l, 0, 0, e.opacity);
	var t = e.h * bl;
	return new Ml(e.l, Math.cos(t) * e.c, Math.sin(t) * e.c, e.opacity);
}
Fc(zl, Rl, Ic(Lc, {
	brighter(e) {
		return new zl(this.h, this.c, this.l + Sl * (e ?? 1), this.opacity);
	},
	darker(e) {
		return new zl(this.h, this.c, this.l - Sl * (e ?? 1), this.opacity);
	},
	rgb() {
		return Bl(this).rgb();
	}
}));
var Vl = -.14861, Hl = 1.78277, Ul = -.29227, Wl = -.90649, Gl = 1.97294, Kl = Gl * Wl, ql = Gl * Hl, Jl = Hl * Ul - Wl * Vl;
function Yl(e) {
	if (e instanceof Zl) return new Zl(e.h, e.s, e.l, e.opacity);
	e instanceof ol || (e = il(e));
	var t = e.r / 255, n = e.g / 255, r = e.b / 255, i = (Jl * r + Kl * t - ql * n) / (Jl + Kl - ql), a = r - i, o = (Gl * (n - i) - Ul * a) / Wl, s = Math.sqrt(o * o + a * a) / (Gl * i * (1 - i)), c = s ? Math.atan2(o, a) * xl - 120 : NaN;
	return new Zl(c < 0 ? c + 360 : c, s, i, e.opacity);
}
function Xl(e, t, n, r) {
	return arguments.length === 1 ? Yl(e) : new Zl(e, t, n, r ?? 1);
}
function Zl(e, t, n, r) {
	this.h = +e, this.s = +t, this.l = +n, this.opacity = +r;
}
Fc(Zl, Xl, Ic(Lc, {
	brighter(e) {
		return e = e == null ? zc : zc ** +e, new Zl(this.h, this.s, this.l * e, this.opacity);
	},
	darker(e) {
		return e = e == null ? Rc : Rc ** +e, new Zl(this.h, this.s, this.l * e, this.opacity);
	},
	rgb() {
		var e = isNaN(this.h) ? 0 : (this.h + 120) * bl, t = +this.l, n = isNaN(this.s) ? 0 : this.s * t * (1 - t), r = Math.cos(e), i = Math.sin(e);
		return new ol(255 * (t + n * (Vl * r + Hl * i)), 255 * (t + n * (Ul * r + Wl * i)), 255 * (t + Gl * r * n), this.opacity);
	}
}));
var Ql = (e) => () => e;
function $l(e, t) {
	return function(n) {
		return e + n * t;
	};
}
function eu(e, t, n) {
	return e **= +n, t = t ** +n - e, n = 1 / n, function(r) {
		return (e + r * t) ** +n;
	};
}
function tu(e, t) {
	var n = t - e;
	return n ? $l(e, n > 180 || n < -180 ? n - 360 * Math.round(n / 360) : n) : Ql(isNaN(e) ? t : e);
}
function nu(e) {
	return (e = +e) == 1 ? ru : function(t, n) {
		return n - t ? eu(t, n, e) : Ql(isNaN(t) ? n : t);
	};
}
function ru(e, t) {
	var n = t - e;
	return n ? $l(e, n) : Ql(isNaN(e) ? t : e);
}
var iu = (function e(t) {
	var n = nu(t);
	function r(e, t) {
		var r = n((e = al(e)).r, (t = al(t)).r), i = n(e.g, t.g), a = n(e.b, t.b), o = ru(e.opacity, t.opacity);
		return function(t) {
			return e.r = r(t), e.g = i(t), e.b = a(t), e.opacity = o(t), e + "";
		};
	}
	return r.gamma = e, r;
})(1);
function au(e, t) {
	t ||= [];
	var n = e ? Math.min(t.length, e.length) : 0, r = t.slice(), i;
	return function(a) {
		for (i = 0; i < n; ++i) r[i] = e[i] * (1 - a) + t[i] * a;
		return r;
	};
}
function ou(e) {
	return ArrayBuffer.isView(e) && !(e instanceof DataView);
}
function su(e, t) {
	for (var n = t ? t.length : 0, r = e ? Math.min(n, e.length) : 0, i = Array(r), a = Array(n), o = 0; o < r; ++o) i[o] = gu(e[o], t[o]);
	for (; o < n; ++o) a[o] = t[o];
	return function(e) {
		for (o = 0; o < r; ++o) a[o] = i[o](e);
		return a;
	};
}
function cu(e, t) {
	var n = /* @__PURE__ */ new Date();
	return e = +e, t = +t, function(r) {
		return n.setTime(e * (1 - r) + t * r), n;
	};
}
function lu(e, t) {
	return e = +e, t = +t, function(n) {
		return e * (1 - n) + t * n;
	};
}
function uu(e, t) {
	var n = {}, r = {}, i;
	for (i in typeof e == "object" && e || (e = {}), typeof t == "object" && t || (t = {}), t) i in e ? n[i] = gu(e[i], t[i]) : r[i] = t[i];
	return function(e) {
		for (i in n) r[i] = n[i](e);
		return r;
	};
}
var du = /[-+]?(?:\d+\.?\d*|\.?\d+)(?:[eE][-+]?\d+)?/g, fu = new RegExp(du.source, "g");
function pu(e) {
	return function() {
		return e;
	};
}
function mu(e) {
	return function(t) {
		return e(t) + "";
	};
}
function hu(e, t) {
	var n = du.lastIndex = fu.lastIndex = 0, r, i, a, o = -1, s = [], c = [];
	for (e += "", t += ""; (r = du.exec(e)) && (i = fu.exec(t));) (a = i.index) > n && (a = t.slice(n, a), s[o] ? s[o] += a : s[++o] = a), (r = r[0]) === (i = i[0]) ? s[o] ? s[o] += i : s[++o] = i : (s[++o] = null, c.push({
		i: o,
		x: lu(r, i)
	})), n = fu.lastIndex;
	return n < t.length && (a = t.slice(n), s[o] ? s[o] += a : s[++o] = a), s.length < 2 ? c[0] ? mu(c[0].x) : pu(t) : (t = c.length, function(e) {
		for (var n = 0, r; n < t; ++n) s[(r = c[n]).i] = r.x(e);
		return s.join("");
	});
}
function gu(e, t) {
	var n = typeof t, r;
	return t == null || n === "boolean" ? Ql(t) : (n === "number" ? lu : n === "string" ? (r = tl(t)) ? (t = r, iu) : hu : t instanceof tl ? iu : t instanceof Date ? cu : ou(t) ? au : Array.isArray(t) ? su : typeof t.valueOf != "function" && typeof t.toString != "function" || isNaN(t) ? uu : lu)(e, t);
}
var _u = 180 / Math.PI, vu = {
	translateX: 0,
	translateY: 0,
	rotate: 0,
	skewX: 0,
	scaleX: 1,
	scaleY: 1
};
function yu(e, t, n, r, i, a) {
	var o, s, c;
	return (o = Math.sqrt(e * e + t * t)) && (e /= o, t /= o), (c = e * n + t * r) && (n -= e * c, r -= t * c), (s = Math.sqrt(n * n + r * r)) && (n /= s, r /= s, c /= s), e * r < t * n && (e = -e, t = -t, c = -c, o = -o), {
		translateX: i,
		translateY: a,
		rotate: Math.atan2(t, e) * _u,
		skewX: Math.atan(c) * _u,
		scaleX: o,
		scaleY: s
	};
}
var bu;
function xu(e) {
	let t = new (typeof DOMMatrix == "function" ? DOMMatrix : WebKitCSSMatrix)(e + "");
	return t.isIdentity ? vu : yu(t.a, t.b, t.c, t.d, t.e, t.f);
}
function Su(e) {
	return e == null || (bu ||= document.createElementNS("http://www.w3.org/2000/svg", "g"), bu.setAttribute("transform", e), !(e = bu.transform.baseVal.consolidate())) ? vu : (e = e.matrix, yu(e.a, e.b, e.c, e.d, e.e, e.f));
}
function Cu(e, t, n, r) {
	function i(e) {
		return e.length ? e.pop() + " " : "";
	}
	function a(e, r, i, a, o, s) {
		if (e !== i || r !== a) {
			var c = o.push("translate(", null, t, null, n);
			s.push({
				i: c - 4,
				x: lu(e, i)
			}, {
				i: c - 2,
				x: lu(r, a)
			});
		} else (i || a) && o.push("translate(" + i + t + a + n);
	}
	function o(e, t, n, a) {
		e === t ? t && n.push(i(n) + "rotate(" + t + r) : (e - t > 180 ? t += 360 : t - e > 180 && (e += 360), a.push({
			i: n.push(i(n) + "rotate(", null, r) - 2,
			x: lu(e, t)
		}));
	}
	function s(e, t, n, a) {
		e === t ? t && n.push(i(n) + "skewX(" + t + r) : a.push({
			i: n.push(i(n) + "skewX(", null, r) - 2,
			x: lu(e, t)
		});
	}
	function c(e, t, n, r, a, o) {
		if (e !== n || t !== r) {
			var s = a.push(i(a) + "scale(", null, ",", null, ")");
			o.push({
				i: s - 4,
				x: lu(e, n)
			}, {
				i: s - 2,
				x: lu(t, r)
			});
		} else (n !== 1 || r !== 1) && a.push(i(a) + "scale(" + n + "," + r + ")");
	}
	return function(t, n) {
		var r = [], i = [];
		return t = e(t), n = e(n), a(t.translateX, t.translateY, n.translateX, n.translateY, r, i), o(t.rotate, n.rotate, r, i), s(t.skewX, n.skewX, r, i), c(t.scaleX, t.scaleY, n.scaleX, n.scaleY, r, i), t = n = null, function(e) {
			for (var t = -1, n = i.length, a; ++t < n;) r[(a = i[t]).i] = a.x(e);
			return r.join("");
		};
	};
}
var wu = Cu(xu, "px, ", "px)", "deg)"), Tu = Cu(Su, ", ", ")", ")"), Eu = 1e-12;
function Du(e) {
	return ((e = Math.exp(e)) + 1 / e) / 2;
}
function Ou(e) {
	return ((e = Math.exp(e)) - 1 / e) / 2;
}
function ku(e) {
	return ((e = Math.exp(2 * e)) - 1) / (e + 1);
}
var Au = (function e(t, n, r) {
	function i(e, i) {
		var a = e[0], o = e[1], s = e[2], c = i[0], l = i[1], u = i[2], d = c - a, f = l - o, p = d * d + f * f, m, h;
		if (p < Eu) h = Math.log(u / s) / t, m = function(e) {
			return [
				a + e * d,
				o + e * f,
				s * Math.exp(t * e * h)
			];
		};
		else {
			var g = Math.sqrt(p), _ = (u * u - s * s + r * p) / (2 * s * n * g), v = (u * u - s * s - r * p) / (2 * u * n * g), y = Math.log(Math.sqrt(_ * _ + 1) - _);
			h = (Math.log(Math.sqrt(v * v + 1) - v) - y) / t, m = function(e) {
				var r = e * h, i = Du(y), c = s / (n * g) * (i * ku(t * r + y) - Ou(y));
				return [
					a + c * d,
					o + c * f,
					s * i / Du(t * r + y)
				];
			};
		}
		return m.duration = Math.abs(h) * 1e3 * t / Math.SQRT2, m;
	}
	return i.rho = function(t) {
		var n = Math.max(.001, +t), r = n * n;
		return e(n, r, r * r);
	}, i;
})(Math.SQRT2, 2, 4);
function ju(e) {
	return (function t(n) {
		n = +n;
		function r(t, r) {
			var i = e((t = Xl(t)).h, (r = Xl(r)).h), a = ru(t.s, r.s), o = ru(t.l, r.l), s = ru(t.opacity, r.opacity);
			return function(e) {
				return t.h = i(e), t.s = a(e), t.l = o(e ** +n), t.opacity = s(e), t + "";
			};
		}
		return r.gamma = t, r;
	})(1);
}
ju(tu), ju(ru);
// node_modules/d3-timer/dist/d3-timer.mjs
var Mu = 0, Nu = 0, Pu = 0, Fu = 1e3, Iu, Lu, Ru = 0, zu = 0, Bu = 0, Vu = typeof performance == "object" && performance.now ? performance : Date, Hu = typeof window == "object" && window.requestAnimationFrame ? window.requestAnimationFrame.bind(window) : function(e) {
	setTimeout(e, 17);
};
function Uu() {
	return zu ||= (Hu(Wu), Vu.now() + Bu);
}
function Wu() {
	zu = 0;
}
function Gu() {
	this._call = this._time = this._next = null;
}
Gu.prototype = Ku.prototype = {
	constructor: Gu,
	restart: function(e, t, n) {
		if (typeof e != "function") throw TypeError("callback is not a function");
		n = (n == null ? Uu() : +n) + (t == null ? 0 : +t), !this._next && Lu !== this && (Lu ? Lu._next = this : Iu = this, Lu = this), this._call = e, this._time = n, Zu();
	},
	stop: function() {
		this._call && (this._call = null, this._time = Infinity, Zu());
	}
};
function Ku(e, t, n) {
	var r = new Gu();
	return r.restart(e, t, n), r;
}
function qu() {
	Uu(), ++Mu;
	for (var e = Iu, t; e;) (t = zu - e._time) >= 0 && e._call.call(void 0, t), e = e._next;
	--Mu;
}
function Ju() {
	zu = (Ru = Vu.now()) + Bu, Mu = Nu = 0;
	try {
		qu();
	} finally {
		Mu = 0, Xu(), zu = 0;
	}
}
function Yu() {
	var e = Vu.now(), t = e - Ru;
	t > Fu && (Bu -= t, Ru = e);
}
function Xu() {
	for (var e, t = Iu, n, r = Infinity; t;) t._call ? (r > t._time && (r = t._time), e = t, t = t._next) : (n = t._next, t._next = null, t = e ? e._next = n : Iu = n);
	Lu = e, Zu(r);
}
function Zu(e) {
	Mu || (Nu &&= clearTimeout(Nu), e - zu > 24 ? (e < Infinity && (Nu = setTimeout(Ju, Math.ceil(e - Vu.now() - Bu) + 1)), Pu &&= clearInterval(Pu)) : (Pu ||= (Ru = Vu.now(), setInterval(Yu, Fu)), Mu = 1, Hu(Ju)));
}
function Qu(e, t, n) {
	var r = new Gu();
	return t = t == null ? 0 : +t, r.restart((n) => {
		r.stop(), e(n + t);
	}, t, n), r;
}
// node_modules/d3-ease/dist/d3-ease.mjs
function $u(e) {
	return ((e *= 2) <= 1 ? e * e * e : (e -= 2) * e * e + 2) / 2;
}
var ed = 3;
(function e(t) {
	t = +t;
	function n(e) {
		return e ** +t;
	}
	return n.exponent = e, n;
})(ed), (function e(t) {
	t = +t;
	function n(e) {
		return 1 - (1 - e) ** t;
	}
	return n.exponent = e, n;
})(ed), (function e(t) {
	t = +t;
	function n(e) {
		return ((e *= 2) <= 1 ? e ** +t : 2 - (2 - e) ** t) / 2;
	}
	return n.exponent = e, n;
})(ed);
function td(e) {
	return (2 ** (-10 * e) - .0009765625) * 1.0009775171065494;
}
var nd = 4 / 11;
1 / nd / nd;
var rd = 1.70158;
(function e(t) {
	t = +t;
	function n(e) {
		return (e = +e) * e * (t * (e - 1) + e);
	}
	return n.overshoot = e, n;
})(rd), (function e(t) {
	t = +t;
	function n(e) {
		return --e * e * ((e + 1) * t + e) + 1;
	}
	return n.overshoot = e, n;
})(rd), (function e(t) {
	t = +t;
	function n(e) {
		return ((e *= 2) < 1 ? e * e * ((t + 1) * e - t) : (e -= 2) * e * ((t + 1) * e + t) + 2) / 2;
	}
	return n.overshoot = e, n;
})(rd);
var id = 2 * Math.PI, ad = 1, od = .3;
(function e(t, n) {
	var r = Math.asin(1 / (t = Math.max(1, t))) * (n /= id);
	function i(e) {
		return t * td(- --e) * Math.sin((r - e) / n);
	}
	return i.amplitude = function(t) {
		return e(t, n * id);
	}, i.period = function(n) {
		return e(t, n);
	}, i;
})(ad, od), (function e(t, n) {
	var r = Math.asin(1 / (t = Math.max(1, t))) * (n /= id);
	function i(e) {
		return 1 - t * td(e = +e) * Math.sin((e + r) / n);
	}
	return i.amplitude = function(t) {
		return e(t, n * id);
	}, i.period = function(n) {
		return e(t, n);
	}, i;
})(ad, od), (function e(t, n) {
	var r = Math.asin(1 / (t = Math.max(1, t))) * (n /= id);
	function i(e) {
		return ((e = e * 2 - 1) < 0 ? t * td(-e) * Math.sin((r - e) / n) : 2 - t * td(e) * Math.sin((r + e) / n)) / 2;
	}
	return i.amplitude = function(t) {
		return e(t, n * id);
	}, i.period = function(n) {
		return e(t, n);
	}, i;
})(ad, od);
// node_modules/d3-transition/dist/d3-transition.mjs
var sd = fo("start", "end", "cancel", "interrupt"), cd = [], ld = 0, ud = 1, dd = 2, fd = 3, pd = 4, md = 5, hd = 6;
function gd(e, t, n, r, i, a) {
	var o = e.__transition;
	if (!o) e.__transition = {};
	else if (n in o) return;
	bd(e, n, {
		name: t,
		index: r,
		group: i,
		on: sd,
		tween: cd,
		time: a.time,
		delay: a.delay,
		duration: a.duration,
		ease: a.ease,
		timer: null,
		state: ld
	});
}
function _d(e, t) {
	var n = yd(e, t);
	if (n.state > ld) throw Error("too late; already scheduled");
	return n;
}
function vd(e, t) {
	var n = yd(e, t);
	if (n.state > fd) throw Error("too late; already running");
	return n;
}
function yd(e, t) {
	var n = e.__transition;
	if (!n || !(n = n[t])) throw Error("transition not found");
	return n;
}
function bd(e, t, n) {
	var r = e.__transition, i;
	r[t] = n, n.timer = Ku(a, 0, n.time);
	function a(e) {
		n.state = ud, n.timer.restart(o, n.delay, n.time), n.delay <= e && o(e - n.delay);
	}
	function o(a) {
		var l, u, d, f;
		if (n.state !== ud) return c();
		for (l in r) if (f = r[l], f.name === n.name) {
			if (f.state === fd) return Qu(o);
			f.state === pd ? (f.state = hd, f.timer.stop(), f.on.call("interrupt", e, e.__data__, f.index, f.group), delete r[l]) : +l < t && (f.state = hd, f.timer.stop(), f.on.call("cancel", e, e.__data__, f.index, f.group), delete r[l]);
		}
		if (Qu(function() {
			n.state === fd && (n.state = pd, n.timer.restart(s, n.delay, n.time), s(a));
		}), n.state = dd, n.on.call("start", e, e.__data__, n.index, n.group), n.state === dd) {
			for (n.state = fd, i = Array(d = n.tween.length), l = 0, u = -1; l < d; ++l) (f = n.tween[l].value.call(e, e.__data__, n.index, n.group)) && (i[++u] = f);
			i.length = u + 1;
		}
	}
	function s(t) {
		for (var r = t < n.duration ? n.ease.call(null, t / n.duration) : (n.timer.restart(c), n.state = md, 1), a = -1, o = i.length; ++a < o;) i[a].call(e, r);
		n.state === md && (n.on.call("end", e, e.__data__, n.index, n.group), c());
	}
	function c() {
		for (var i in n.state = hd, n.timer.stop(), delete r[t], r) return;
		delete e.__transition;
	}
}
function xd(e, t) {
	var n = e.__transition, r, i, a = !0, o;
	if (n) {
		for (o in t = t == null ? null : t + "", n) (r = n[o]).name === t ? (i = r.state > dd && r.state < md, r.state = hd, r.timer.stop(), r.on.call(i ? "interrupt" : "cancel", e, e.__data__, r.index, r.group), delete n[o]) : a = !1;
		a && delete e.__transition;
	}
}
function Sd(e) {
	return this.each(function() {
		xd(this, e);
	});
}
function Cd(e, t) {
	var n, r;
	return function() {
		var i = vd(this, e), a = i.tween;
		if (a !== n) {
			r = n = a;
			for (var o = 0, s = r.length; o < s; ++o) if (r[o].name === t) {
				r = r.slice(), r.splice(o, 1);
				break;
			}
		}
		i.tween = r;
	};
}
function wd(e, t, n) {
	var r, i;
	if (typeof n != "function") throw Error();
	return function() {
		var a = vd(this, e), o = a.tween;
		if (o !== r) {
			i = (r = o).slice();
			for (var s = {
				name: t,
				value: n
			}, c = 0, l = i.length; c < l; ++c) if (i[c].name === t) {
				i[c] = s;
				break;
			}
			c === l && i.push(s);
		}
		a.tween = i;
	};
}
function Td(e, t) {
	var n = this._id;
	if (e += "", arguments.length < 2) {
		for (var r = yd(this.node(), n).tween, i = 0, a = r.length, o; i < a; ++i) if ((o = r[i]).name === e) return o.value;
		return null;
	}
	return this.each((t == null ? Cd : wd)(n, e, t));
}
function Ed(e, t, n) {
	var r = e._id;
	return e.each(function() {
		var e = vd(this, r);
		(e.value ||= {})[t] = n.apply(this, arguments);
	}), function(e) {
		return yd(e, r).value[t];
	};
}
function Dd(e, t) {
	var n;
	return (typeof t == "number" ? lu : t instanceof tl ? iu : (n = tl(t)) ? (t = n, iu) : hu)(e, t);
}
function Od(e) {
	return function() {
		this.removeAttribute(e);
	};
}
function kd(e) {
	return function() {
		this.removeAttributeNS(e.space, e.local);
	};
}
function Ad(e, t, n) {
	var r, i = n + "", a;
	return function() {
		var o = this.getAttribute(e);
		return o === i ? null : o === r ? a : a = t(r = o, n);
	};
}
function jd(e, t, n) {
	var r, i = n + "", a;
	return function() {
		var o = this.getAttributeNS(e.space, e.local);
		return o === i ? null : o === r ? a : a = t(r = o, n);
	};
}
function Md(e, t, n) {
	var r, i, a;
	return function() {
		var o, s = n(this), c;
		return s == null ? void this.removeAttribute(e) : (o = this.getAttribute(e), c = s + "", o === c ? null : o === r && c === i ? a : (i = c, a = t(r = o, s)));
	};
}
function Nd(e, t, n) {
	var r, i, a;
	return function() {
		var o, s = n(this), c;
		return s == null ? void this.removeAttributeNS(e.space, e.local) : (o = this.getAttributeNS(e.space, e.local), c = s + "", o === c ? null : o === r && c === i ? a : (i = c, a = t(r = o, s)));
	};
}
function Pd(e, t) {
	var n = yo(e), r = n === "transform" ? Tu : Dd;
	return this.attrTween(e, typeof t == "function" ? (n.local ? Nd : Md)(n, r, Ed(this, "attr." + e, t)) : t == null ? (n.local ? kd : Od)(n) : (n.local ? jd : Ad)(n, r, t));
}
function Fd(e, t) {
	return function(n) {
		this.setAttribute(e, t.call(this, n));
	};
}
function Id(e, t) {
	return function(n) {
		this.setAttributeNS(e.space, e.local, t.call(this, n));
	};
}
function Ld(e, t) {
	var n, r;
	function i() {
		var i = t.apply(this, arguments);
		return i !== r && (n = (r = i) && Id(e, i)), n;
	}
	return i._value = t, i;
}
function Rd(e, t) {
	var n, r;
	function i() {
		var i = t.apply(this, arguments);
		return i !== r && (n = (r = i) && Fd(e, i)), n;
	}
	return i._value = t, i;
}
function zd(e, t) {
	var n = "attr." + e;
	if (arguments.length < 2) return (n = this.tween(n)) && n._value;
	if (t == null) return this.tween(n, null);
	if (typeof t != "function") throw Error();
	var r = yo(e);
	return this.tween(n, (r.local ? Ld : Rd)(r, t));
}
function Bd(e, t) {
	return function() {
		_d(this, e).delay = +t.apply(this, arguments);
	};
}
function Vd(e, t) {
	return t = +t, function() {
		_d(this, e).delay = t;
	};
}
function Hd(e) {
	var t = this._id;
	return arguments.length ? this.each((typeof e == "function" ? Bd : Vd)(t, e)) : yd(this.node(), t).delay;
}
function Ud(e, t) {
	return function() {
		vd(this, e).duration = +t.apply(this, arguments);
	};
}
function Wd(e, t) {
	return t = +t, function() {
		vd(this, e).duration = t;
	};
}
function Gd(e) {
	var t = this._id;
	return arguments.length ? this.each((typeof e == "function" ? Ud : Wd)(t, e)) : yd(this.node(), t).duration;
}
function Kd(e, t) {
	if (typeof t != "function") throw Error();
	return function() {
		vd(this, e).ease = t;
	};
}
function qd(e) {
	var t = this._id;
	return arguments.length ? this.each(Kd(t, e)) : yd(this.node(), t).ease;
}
function Jd(e, t) {
	return function() {
		var n = t.apply(this, arguments);
		if (typeof n != "function") throw Error();
		vd(this, e).ease = n;
	};
}
function Yd(e) {
	if (typeof e != "function") throw Error();
	return this.each(Jd(this._id, e));
}
function Xd(e) {
	typeof e != "function" && (e = jo(e));
	for (var t = this._groups, n = t.length, r = Array(n), i = 0; i < n; ++i) for (var a = t[i], o = a.length, s = r[i] = [], c, l = 0; l < o; ++l) (c = a[l]) && e.call(c, c.__data__, l, a) && s.push(c);
	return new Ef(r, this._parents, this._name, this._id);
}
function Zd(e) {
	if (e._id !== this._id) throw Error();
	for (var t = this._groups, n = e._groups, r = t.length, i = n.length, a = Math.min(r, i), o = Array(r), s = 0; s < a; ++s) for (var c = t[s], l = n[s], u = c.length, d = o[s] = Array(u), f, p = 0; p < u; ++p) (f = c[p] || l[p]) && (d[p] = f);
	for (; s < r; ++s) o[s] = t[s];
	return new Ef(o, this._parents, this._name, this._id);
}
function Qd(e) {
	return (e + "").trim().split(/^|\s+/).every(function(e) {
		var t = e.indexOf(".");
		return t >= 0 && (e = e.slice(0, t)), !e || e === "start";
	});
}
function $d(e, t, n) {
	var r, i, a = Qd(t) ? _d : vd;
	return function() {
		var o = a(this, e), s = o.on;
		s !== r && (i = (r = s).copy()).on(t, n), o.on = i;
	};
}
function ef(e, t) {
	var n = this._id;
	return arguments.length < 2 ? yd(this.node(), n).on.on(e) : this.each($d(n, e, t));
}
function tf(e) {
	return function() {
		var t = this.parentNode;
		for (var n in this.__transition) if (+n !== e) return;
		t && t.removeChild(this);
	};
}
function nf() {
	return this.on("end.remove", tf(this._id));
}
function rf(e) {
	var t = this._name, n = this._id;
	typeof e != "function" && (e = wo(e));
	for (var r = this._groups, i = r.length, a = Array(i), o = 0; o < i; ++o) for (var s = r[o], c = s.length, l = a[o] = Array(c), u, d, f = 0; f < c; ++f) (u = s[f]) && (d = e.call(u, u.__data__, f, s)) && ("__data__" in u && (d.__data__ = u.__data__), l[f] = d, gd(l[f], t, n, f, l, yd(u, n)));
	return new Ef(a, this._parents, t, n);
}
function af(e) {
	var t = this._name, n = this._id;
	typeof e != "function" && (e = Oo(e));
	for (var r = this._groups, i = r.length, a = [], o = [], s = 0; s < i; ++s) for (var c = r[s], l = c.length, u, d = 0; d < l; ++d) if (u = c[d]) {
		for (var f = e.call(u, u.__data__, d, c), p, m = yd(u, n), h = 0, g = f.length; h < g; ++h) (p = f[h]) && gd(p, t, n, h, f, m);
		a.push(f), o.push(u);
	}
	return new Ef(a, o, t, n);
}
var of = mc.prototype.constructor;
function sf() {
	return new of(this._groups, this._parents);
}
function cf(e, t) {
	var n, r, i;
	return function() {
		var a = xs(this, e), o = (this.style.removeProperty(e), xs(this, e));
		return a === o ? null : a === n && o === r ? i : i = t(n = a, r = o);
	};
}
function lf(e) {
	return function() {
		this.style.removeProperty(e);
	};
}
function uf(e, t, n) {
	var r, i = n + "", a;
	return function() {
		var o = xs(this, e);
		return o === i ? null : o === r ? a : a = t(r = o, n);
	};
}
function df(e, t, n) {
	var r, i, a;
	return function() {
		var o = xs(this, e), s = n(this), c = s + "";
		return s ?? (c = s = (this.style.removeProperty(e), xs(this, e))), o === c ? null : o === r && c === i ? a : (i = c, a = t(r = o, s));
	};
}
function ff(e, t) {
	var n, r, i, a = "style." + t, o = "end." + a, s;
	return function() {
		var c = vd(this, e), l = c.on, u = c.value[a] == null ? s ||= lf(t) : void 0;
		(l !== n || i !== u) && (r = (n = l).copy()).on(o, i = u), c.on = r;
	};
}
function pf(e, t, n) {
	var r = (e += "") == "transform" ? wu : Dd;
	return t == null ? this.styleTween(e, cf(e, r)).on("end.style." + e, lf(e)) : typeof t == "function" ? this.styleTween(e, df(e, r, Ed(this, "style." + e, t))).each(ff(this._id, e)) : this.styleTween(e, uf(e, r, t), n).on("end.style." + e, null);
}
function mf(e, t, n) {
	return function(r) {
		this.style.setProperty(e, t.call(this, r), n);
	};
}
function hf(e, t, n) {
	var r, i;
	function a() {
		var a = t.apply(this, arguments);
		return a !== i && (r = (i = a) && mf(e, a, n)), r;
	}
	return a._value = t, a;
}
function gf(e, t, n) {
	var r = "style." + (e += "");
	if (arguments.length < 2) return (r = this.tween(r)) && r._value;
	if (t == null) return this.tween(r, null);
	if (typeof t != "function") throw Error();
	return this.tween(r, hf(e, t, n ?? ""));
}
function _f(e) {
	return function() {
		this.textContent = e;
	};
}
function vf(e) {
	return function() {
		var t = e(this);
		this.textContent = t ?? "";
	};
}
function yf(e) {
	return this.tween("text", typeof e == "function" ? vf(Ed(this, "text", e)) : _f(e == null ? "" : e + ""));
}
function bf(e) {
	return function(t) {
		this.textContent = e.call(this, t);
	};
}
function xf(e) {
	var t, n;
	function r() {
		var r = e.apply(this, arguments);
		return r !== n && (t = (n = r) && bf(r)), t;
	}
	return r._value = e, r;
}
function Sf(e) {
	var t = "text";
	if (arguments.length < 1) return (t = this.tween(t)) && t._value;
	if (e == null) return this.tween(t, null);
	if (typeof e != "function") throw Error();
	return this.tween(t, xf(e));
}
function Cf() {
	for (var e = this._name, t = this._id, n = Df(), r = this._groups, i = r.length, a = 0; a < i; ++a) for (var o = r[a], s = o.length, c, l = 0; l < s; ++l) if (c = o[l]) {
		var u = yd(c, t);
		gd(c, e, n, l, o, {
			time: u.time + u.delay + u.duration,
			delay: 0,
			duration: u.duration,
			ease: u.ease
		});
	}
	return new Ef(r, this._parents, e, n);
}
function wf() {
	var e, t, n = this, r = n._id, i = n.size();
	return new Promise(function(a, o) {
		var s = { value: o }, c = { value: function() {
			--i === 0 && a();
		} };
		n.each(function() {
			var n = vd(this, r), i = n.on;
			i !== e && (t = (e = i).copy(), t._.cancel.push(s), t._.interrupt.push(s), t._.end.push(c)), n.on = t;
		}), i === 0 && a();
	});
}
var Tf = 0;
function Ef(e, t, n, r) {
	this._groups = e, this._parents = t, this._name = n, this._id = r;
}
function Df() {
	return ++Tf;
}
var Of = mc.prototype;
Ef.prototype = {
	constructor: Ef,
	select: rf,
	selectAll: af,
	selectChild: Of.selectChild,
	selectChildren: Of.selectChildren,
	filter: Xd,
	merge: Zd,
	selection: sf,
	transition: Cf,
	call: Of.call,
	nodes: Of.nodes,
	node: Of.node,
	size: Of.size,
	empty: Of.empty,
	each: Of.each,
	on: ef,
	attr: Pd,
	attrTween: zd,
	style: pf,
	styleTween: gf,
	text: yf,
	textTween: Sf,
	remove: nf,
	tween: Td,
	delay: Hd,
	duration: Gd,
	ease: qd,
	easeVarying: Yd,
	end: wf,
	[Symbol.iterator]: Of[Symbol.iterator]
};
var kf = {
	time: null,
	delay: 0,
	duration: 250,
	ease: $u
};
function Af(e, t) {
	for (var n; !(n = e.__transition) || !(n = n[t]);) if (!(e = e.parentNode)) throw Error(`transition ${t} not found`);
	return n;
}
function jf(e) {
	var t, n;
	e instanceof Ef ? (t = e._id, e = e._name) : (t = Df(), (n = kf).time = Uu(), e = e == null ? null : e + "");
	for (var r = this._groups, i = r.length, a = 0; a < i; ++a) for (var o = r[a], s = o.length, c, l = 0; l < s; ++l) (c = o[l]) && gd(c, e, t, l, o, n || Af(c, t));
	return new Ef(r, this._parents, e, t);
}
mc.prototype.interrupt = Sd, mc.prototype.transition = jf;
// node_modules/d3-zoom/dist/d3-zoom.mjs
var Mf = (e) => () => e;
function Nf(e, { sourceEvent: t, target: n, transform: r, dispatch: i }) {
	Object.defineProperties(this, {
		type: {
			value: e,
			enumerable: !0,
			configurable: !0
		},
		sourceEvent: {
			value: t,
			enumerable: !0,
			configurable: !0
		},
		target: {
			value: n,
			enumerable: !0,
			configurable: !0
		},
		transform: {
			value: r,
			enumerable: !0,
			configurable: !0
		},
		_: { value: i }
	});
}
function Pf(e, t, n) {
	this.k = e, this.x = t, this.y = n;
}
Pf.prototype = {
	constructor: Pf,
	scale: function(e) {
		return e === 1 ? this : new Pf(this.k * e, this.x, this.y);
	},
	translate: function(e, t) {
		return e === 0 & t === 0 ? this : new Pf(this.k, this.x + this.k * e, this.y + this.k * t);
	},
	apply: function(e) {
		return [e[0] * this.k + this.x, e[1] * this.k + this.y];
	},
	applyX: function(e) {
		return e * this.k + this.x;
	},
	applyY: function(e) {
		return e * this.k + this.y;
	},
	invert: function(e) {
		return [(e[0] - this.x) / this.k, (e[1] - this.y) / this.k];
	},
	invertX: function(e) {
		return (e - this.x) / this.k;
	},
	invertY: function(e) {
		return (e - this.y) / this.k;
	},
	rescaleX: function(e) {
		return e.copy().domain(e.range().map(this.invertX, this).map(e.invert, e));
	},
	rescaleY: function(e) {
		return e.copy().domain(e.range().map(this.invertY, this).map(e.invert, e));
	},
	toString: function() {
		return "translate(" + this.x + "," + this.y + ") scale(" + this.k + ")";
	}
};
var Ff = new Pf(1, 0, 0);
If.prototype = Pf.prototype;
function If(e) {
	for (; !e.__zoom;) if (!(e = e.parentNode)) return Ff;
	return e.__zoom;
}
function Lf(e) {
	e.stopImmediatePropagation();
}
function Rf(e) {
	e.preventDefault(), e.stopImmediatePropagation();
}
function zf(e) {
	return (!e.ctrlKey || e.type === "wheel") && !e.button;
}
function Bf() {
	var e = this;
	return e instanceof SVGElement ? (e = e.ownerSVGElement || e, e.hasAttribute("viewBox") ? (e = e.viewBox.baseVal, [[e.x, e.y], [e.x + e.width, e.y + e.height]]) : [[0, 0], [e.width.baseVal.value, e.height.baseVal.value]]) : [[0, 0], [e.clientWidth, e.clientHeight]];
}
function Vf() {
	return this.__zoom || Ff;
}
function Hf(e) {
	return -e.deltaY * (e.deltaMode === 1 ? .05 : e.deltaMode ? 1 : .002) * (e.ctrlKey ? 10 : 1);
}
function Uf() {
	return navigator.maxTouchPoints || "ontouchstart" in this;
}
function Wf(e, t, n) {
	var r = e.invertX(t[0][0]) - n[0][0], i = e.invertX(t[1][0]) - n[1][0], a = e.invertY(t[0][1]) - n[0][1], o = e.invertY(t[1][1]) - n[1][1];
	return e.translate(i > r ? (r + i) / 2 : Math.min(0, r) || Math.max(0, i), o > a ? (a + o) / 2 : Math.min(0, a) || Math.max(0, o));
}
function Gf() {
	var e = zf, t = Bf, n = Wf, r = Hf, i = Uf, a = [0, Infinity], o = [[-Infinity, -Infinity], [Infinity, Infinity]], s = 250, c = Au, l = fo("start", "zoom", "end"), u, d, f, p = 500, m = 150, h = 0, g = 10;
	function _(e) {
		e.property("__zoom", Vf).on("wheel.zoom", w, { passive: !1 }).on("mousedown.zoom", ee).on("dblclick.zoom", te).filter(i).on("touchstart.zoom", ne).on("touchmove.zoom", re).on("touchend.zoom touchcancel.zoom", ie).style("-webkit-tap-highlight-color", "rgba(0,0,0,0)");
	}
	_.transform = function(e, t, n, r) {
		var i = e.selection ? e.selection() : e;
		i.property("__zoom", Vf), e === i ? i.interrupt().each(function() {
			S(this, arguments).event(r).start().zoom(null, typeof t == "function" ? t.apply(this, arguments) : t).end();
		}) : x(e, t, n, r);
	}, _.scaleBy = function(e, t, n, r) {
		_.scaleTo(e, function() {
			return this.__zoom.k * (typeof t == "function" ? t.apply(this, arguments) : t);
		}, n, r);
	}, _.scaleTo = function(e, r, i, a) {
		_.transform(e, function() {
			var e = t.apply(this, arguments), a = this.__zoom, s = i == null ? b(e) : typeof i == "function" ? i.apply(this, arguments) : i, c = a.invert(s), l = typeof r == "function" ? r.apply(this, arguments) : r;
			return n(y(v(a, l), s, c), e, o);
		}, i, a);
	}, _.translateBy = function(e, r, i, a) {
		_.transform(e, function() {
			return n(this.__zoom.translate(typeof r == "function" ? r.apply(this, arguments) : r, typeof i == "function" ? i.apply(this, arguments) : i), t.apply(this, arguments), o);
		}, null, a);
	}, _.translateTo = function(e, r, i, a, s) {
		_.transform(e, function() {
			var e = t.apply(this, arguments), s = this.__zoom, c = a == null ? b(e) : typeof a == "function" ? a.apply(this, arguments) : a;
			return n(Ff.translate(c[0], c[1]).scale(s.k).translate(typeof r == "function" ? -r.apply(this, arguments) : -r, typeof i == "function" ? -i.apply(this, arguments) : -i), e, o);
		}, a, s);
	};
	function v(e, t) {
		return t = Math.max(a[0], Math.min(a[1], t)), t === e.k ? e : new Pf(t, e.x, e.y);
	}
	function y(e, t, n) {
		var r = t[0] - n[0] * e.k, i = t[1] - n[1] * e.k;
		return r === e.x && i === e.y ? e : new Pf(e.k, r, i);
	}
	function b(e) {
		return [(+e[0][0] + +e[1][0]) / 2, (+e[0][1] + +e[1][1]) / 2];
	}
	function x(e, n, r, i) {
		e.on("start.zoom", function() {
			S(this, arguments).event(i).start();
		}).on("interrupt.zoom end.zoom", function() {
			S(this, arguments).event(i).end();
		}).tween("zoom", function() {
			var e = this, a = arguments, o = S(e, a).event(i), s = t.apply(e, a), l = r == null ? b(s) : typeof r == "function" ? r.apply(e, a) : r, u = Math.max(s[1][0] - s[0][0], s[1][1] - s[0][1]), d = e.__zoom, f = typeof n == "function" ? n.apply(e, a) : n, p = c(d.invert(l).concat(u / d.k), f.invert(l).concat(u / f.k));
			return function(e) {
				if (e === 1) e = f;
				else {
					var t = p(e), n = u / t[2];
					e = new Pf(n, l[0] - t[0] * n, l[1] - t[1] * n);
				}
				o.zoom(null, e);
			};
		});
	}
	function S(e, t, n) {
		return !n && e.__zooming || new C(e, t);
	}
	function C(e, n) {
		this.that = e, this.args = n, this.active = 0, this.sourceEvent = null, this.extent = t.apply(e, n), this.taps = 0;
	}
	C.prototype = {
		event: function(e) {
			return e && (this.sourceEvent = e), this;
		},
		start: function() {
			return ++this.active === 1 && (this.that.__zooming = this, this.emit("start")), this;
		},
		zoom: function(e, t) {
			return this.mouse && e !== "mouse" && (this.mouse[1] = t.invert(this.mouse[0])), this.touch0 && e !== "touch" && (this.touch0[1] = t.invert(this.touch0[0])), this.touch1 && e !== "touch" && (this.touch1[1] = t.invert(this.touch1[0])), this.that.__zoom = t, this.emit("zoom"), this;
		},
		end: function() {
			return --this.active === 0 && (delete this.that.__zooming, this.emit("end")), this;
		},
		emit: function(e) {
			var t = gc(this.that).datum();
			l.call(e, this.that, new Nf(e, {
				sourceEvent: this.sourceEvent,
				target: _,
				transform: this.that.__zoom,
				dispatch: l
			}), t);
		}
	};
	function w(t, ...i) {
		if (!e.apply(this, arguments)) return;
		var s = S(this, i).event(t), c = this.__zoom, l = Math.max(a[0], Math.min(a[1], c.k * 2 ** r.apply(this, arguments))), u = xc(t);
		if (s.wheel) (s.mouse[0][0] !== u[0] || s.mouse[0][1] !== u[1]) && (s.mouse[1] = c.invert(s.mouse[0] = u)), clearTimeout(s.wheel);
		else if (c.k === l) return;
		else s.mouse = [u, c.invert(u)], xd(this), s.start();
		Rf(t), s.wheel = setTimeout(d, m), s.zoom("mouse", n(y(v(c, l), s.mouse[0], s.mouse[1]), s.extent, o));
		function d() {
			s.wheel = null, s.end();
		}
	}
	function ee(t, ...r) {
		if (f || !e.apply(this, arguments)) return;
		var i = t.currentTarget, a = S(this, r, !0).event(t), s = gc(t.view).on("mousemove.zoom", d, !0).on("mouseup.zoom", p, !0), c = xc(t, i), l = t.clientX, u = t.clientY;
		Ec(t.view), Lf(t), a.mouse = [c, this.__zoom.invert(c)], xd(this), a.start();
		function d(e) {
			if (Rf(e), !a.moved) {
				var t = e.clientX - l, r = e.clientY - u;
				a.moved = t * t + r * r > h;
			}
			a.event(e).zoom("mouse", n(y(a.that.__zoom, a.mouse[0] = xc(e, i), a.mouse[1]), a.extent, o));
		}
		function p(e) {
			s.on("mousemove.zoom mouseup.zoom", null), Dc(e.view, a.moved), Rf(e), a.event(e).end();
		}
	}
	function te(r, ...i) {
		if (e.apply(this, arguments)) {
			var a = this.__zoom, c = xc(r.changedTouches ? r.changedTouches[0] : r, this), l = a.invert(c), u = a.k * (r.shiftKey ? .5 : 2), d = n(y(v(a, u), c, l), t.apply(this, i), o);
			Rf(r), s > 0 ? gc(this).transition().duration(s).call(x, d, c, r) : gc(this).call(_.transform, d, c, r);
		}
	}
	function ne(t, ...n) {
		if (e.apply(this, arguments)) {
			var r = t.touches, i = r.length, a = S(this, n, t.changedTouches.length === i).event(t), o, s, c, l;
			for (Lf(t), s = 0; s < i; ++s) c = r[s], l = xc(c, this), l = [
				l,
				this.__zoom.invert(l),
				c.identifier
			], a.touch0 ? !a.touch1 && a.touch0[2] !== l[2] && (a.touch1 = l, a.taps = 0) : (a.touch0 = l, o = !0, a.taps = 1 + !!u);
			u &&= clearTimeout(u), o && (a.taps < 2 && (d = l[0], u = setTimeout(function() {
				u = null;
			}, p)), xd(this), a.start());
		}
	}
	function re(e, ...t) {
		if (this.__zooming) {
			var r = S(this, t).event(e), i = e.changedTouches, a = i.length, s, c, l, u;
			for (Rf(e), s = 0; s < a; ++s) c = i[s], l = xc(c, this), r.touch0 && r.touch0[2] === c.identifier ? r.touch0[0] = l : r.touch1 && r.touch1[2] === c.identifier && (r.touch1[0] = l);
			if (c = r.that.__zoom, r.touch1) {
				var d = r.touch0[0], f = r.touch0[1], p = r.touch1[0], m = r.touch1[1], h = (h = p[0] - d[0]) * h + (h = p[1] - d[1]) * h, g = (g = m[0] - f[0]) * g + (g = m[1] - f[1]) * g;
				c = v(c, Math.sqrt(h / g)), l = [(d[0] + p[0]) / 2, (d[1] + p[1]) / 2], u = [(f[0] + m[0]) / 2, (f[1] + m[1]) / 2];
			} else if (r.touch0) l = r.touch0[0], u = r.touch0[1];
			else return;
			r.zoom("touch", n(y(c, l, u), r.extent, o));
		}
	}
	function ie(e, ...t) {
		if (this.__zooming) {
			var n = S(this, t).event(e), r = e.changedTouches, i = r.length, a, o;
			for (Lf(e), f && clearTimeout(f), f = setTimeout(function() {
				f = null;
			}, p), a = 0; a < i; ++a) o = r[a], n.touch0 && n.touch0[2] === o.identifier ? delete n.touch0 : n.touch1 && n.touch1[2] === o.identifier && delete n.touch1;
			if (n.touch1 && !n.touch0 && (n.touch0 = n.touch1, delete n.touch1), n.touch0) n.touch0[1] = this.__zoom.invert(n.touch0[0]);
			else if (n.end(), n.taps === 2 && (o = xc(o, this), Math.hypot(d[0] - o[0], d[1] - o[1]) < g)) {
				var s = gc(this).on("dblclick.zoom");
				s && s.apply(this, arguments);
			}
		}
	}
	return _.wheelDelta = function(e) {
		return arguments.length ? (r = typeof e == "function" ? e : Mf(+e), _) : r;
	}, _.filter = function(t) {
		return arguments.length ? (e = typeof t == "function" ? t : Mf(!!t), _) : e;
	}, _.touchable = function(e) {
		return arguments.length ? (i = typeof e == "function" ? e : Mf(!!e), _) : i;
	}, _.extent = function(e) {
		return arguments.length ? (t = typeof e == "function" ? e : Mf([[+e[0][0], +e[0][1]], [+e[1][0], +e[1][1]]]), _) : t;
	}, _.scaleExtent = function(e) {
		return arguments.length ? (a[0] = +e[0], a[1] = +e[1], _) : [a[0], a[1]];
	}, _.translateExtent = function(e) {
		return arguments.length ? (o[0][0] = +e[0][0], o[1][0] = +e[1][0], o[0][1] = +e[0][1], o[1][1] = +e[1][1], _) : [[o[0][0], o[0][1]], [o[1][0], o[1][1]]];
	}, _.constrain = function(e) {
		return arguments.length ? (n = e, _) : n;
	}, _.duration = function(e) {
		return arguments.length ? (s = +e, _) : s;
	}, _.interpolate = function(e) {
		return arguments.length ? (c = e, _) : c;
	}, _.on = function() {
		var e = l.on.apply(l, arguments);
		return e === l ? _ : e;
	}, _.clickDistance = function(e) {
		return arguments.length ? (h = (e = +e) * e, _) : Math.sqrt(h);
	}, _.tapDistance = function(e) {
		return arguments.length ? (g = +e, _) : g;
	}, _;
}
// node_modules/@xyflow/system/dist/esm/index.js
var Kf = {
	error001: (e = "react") => `Seems like you have not used ${e === "svelte" ? "SvelteFlowProvider" : "ReactFlowProvider"} as an ancestor. Help: https://${e}flow.dev/error#001`,
	error002: () => "It looks like you've created a new nodeTypes or edgeTypes object. If this wasn't on purpose please define the nodeTypes/edgeTypes outside of the component or memoize them.",
	error003: (e) => `Node type "${e}" not found. Using fallback type "default".`,
	error004: () => "The parent container needs a width and a height to render the graph.",
	error005: () => "Only child nodes can use a parent extent.",
	error006: () => "Can't create edge. An edge needs a source and a target.",
	error007: (e) => `The old edge with id=${e} does not exist.`,
	error009: (e) => `Marker type "${e}" doesn't exist.`,
	error008: (e, { id: t, sourceHandle: n, targetHandle: r }) => `Couldn't create edge for ${e} handle id: "${e === "source" ? n : r}", edge id: ${t}.`,
	error010: () => "Handle: No node id found. Make sure to only use a Handle inside a custom Node.",
	error011: (e) => `Edge type "${e}" not found. Using fallback type "default".`,
	error012: (e) => `Node with id "${e}" does not exist, it may have been removed. This can happen when a node is deleted before the "onNodeClick" handler is called.`,
	error013: (e = "react") => `It seems that you haven't loaded the styles. Please import '@xyflow/${e}/dist/style.css' or base.css to make sure everything is working properly.`,
	error014: () => "useNodeConnections: No node ID found. Call useNodeConnections inside a custom Node or provide a node ID.",
	error015: () => "It seems that you are trying to drag a node that is not initialized. Please use onNodesChange as explained in the docs.",
	error016: (e) => `Edge with id "${e}" does not exist, it may have been removed. This can happen when an edge is deleted before the "onEdgeClick" handler is called.`
}, qf = [[-Infinity, -Infinity], [Infinity, Infinity]], Jf = [
	"Enter",
	" ",
	"Escape"
], Yf = {
	"node.a11yDescription.default": "Press enter or space to select a node. Press delete to remove it and escape to cancel.",
	"node.a11yDescription.keyboardDisabled": "Press enter or space to select a node. You can then use the arrow keys to move the node around. Press delete to remove it and escape to cancel.",
	"node.a11yDescription.ariaLiveMessage": ({ direction: e, x: t, y: n }) => `Moved selected node ${e}. New position, x: ${t}, y: ${n}`,
	"edge.a11yDescription.default": "Press enter or space to select an edge. You can then press delete to remove it or escape to cancel.",
	"controls.ariaLabel": "Control Panel",
	"controls.zoomIn.ariaLabel": "Zoom In",
	"controls.zoomOut.ariaLabel": "Zoom Out",
	"controls.fitView.ariaLabel": "Fit View",
	"controls.interactive.ariaLabel": "Toggle Interactivity",
	"minimap.ariaLabel": "Mini Map",
	"handle.ariaLabel": "Handle"
}, Xf;
(function(e) {
	e.Strict = "strict", e.Loose = "loose";
})(Xf ||= {});
var Zf;
(function(e) {
	e.Free = "free", e.Vertical = "vertical", e.Horizontal = "horizontal";
})(Zf ||= {});
var Qf;
(function(e) {
	e.Partial = "partial", e.Full = "full";
})(Qf ||= {});
var $f = {
	inProgress: !1,
	isValid: null,
	from: null,
	fromHandle: null,
	fromPosition: null,
	fromNode: null,
	to: null,
	toHandle: null,
	toPosition: null,
	toNode: null,
	pointer: null
}, ep;
(function(e) {
	e.Bezier = "default", e.Straight = "straight", e.Step = "step", e.SmoothStep = "smoothstep", e.SimpleBezier = "simplebezier";
})(ep ||= {});
var tp;
(function(e) {
	e.Arrow = "arrow", e.ArrowClosed = "arrowclosed";
})(tp ||= {});
var q;
(function(e) {
	e.Left = "left", e.Top = "top", e.Right = "right", e.Bottom = "bottom";
})(q ||= {});
var np = {
	[q.Left]: q.Right,
	[q.Right]: q.Left,
	[q.Top]: q.Bottom,
	[q.Bottom]: q.Top
}, rp = (e) => !!e && typeof e == "object" && "id" in e && "source" in e && "target" in e, ip = (e) => !!e && typeof e == "object" && "id" in e && "position" in e && !("source" in e) && !("target" in e), ap = (e) => !!e && typeof e == "object" && "id" in e && "internals" in e && !("source" in e) && !("target" in e), op = (e, t = [0, 0]) => {
	let { width: n, height: r } = Bp(e), i = e.origin ?? t, a = n * i[0], o = r * i[1];
	return {
		x: e.position.x - a,
		y: e.position.y - o
	};
}, sp = (e, t = { nodeOrigin: [0, 0] }) => {
	if (e.length === 0) return {
		x: 0,
		y: 0,
		width: 0,
		height: 0
	};
	let n = !1, r = e.reduce((e, r) => {
		let i = typeof r == "string", a = !t.nodeLookup && !i ? r : void 0;
		return t.nodeLookup && (a = i ? t.nodeLookup.get(r) : ap(r) ? r : t.nodeLookup.get(r.id)), a ? (n = !0, bp(e, wp(a, t.nodeOrigin))) : e;
	}, {
		x: Infinity,
		y: Infinity,
		x2: -Infinity,
		y2: -Infinity
	});
	return n ? Sp(r) : {
		x: 0,
		y: 0,
		width: 0,
		height: 0
	};
}, cp = (e, t = {}) => {
	let n = {
		x: Infinity,
		y: Infinity,
		x2: -Infinity,
		y2: -Infinity
	}, r = !1;
	return e.forEach((e) => {
		(t.filter === void 0 || t.filter(e)) && (n = bp(n, wp(e)), r = !0);
	}), r ? Sp(n) : {
		x: 0,
		y: 0,
		width: 0,
		height: 0
	};
}, lp = (e, t, [n, r, i] = [
	0,
	0,
	1
], a = !1, o = !1) => {
	let s = (t.x - n) / i, c = (t.y - r) / i, l = t.width / i, u = t.height / i, d = [];
	for (let t of e.values()) {
		let { measured: e, selectable: n = !0, hidden: r = !1 } = t;
		if (o && !n || r) continue;
		let i = e.width ?? t.width ?? t.initialWidth ?? 0, f = e.height ?? t.height ?? t.initialHeight ?? 0, { x: p, y: m } = t.internals.positionAbsolute, h = Ep(s, c, l, u, p, m, i, f), g = i * f, _ = a && h > 0;
		(!t.internals.handleBounds || _ || h >= g || t.dragging) && d.push(t);
	}
	return d;
}, up = (e, t) => {
	let n = /* @__PURE__ */ new Set();
	return e.forEach((e) => {
		n.add(e.id);
	}), t.filter((e) => n.has(e.source) || n.has(e.target));
};
function dp(e, t) {
	let n = /* @__PURE__ */ new Map(), r = t?.nodes ? new Set(t.nodes.map((e) => e.id)) : null;
	return e.forEach((e) => {
		let i;
		if (t?.includeHiddenNodes) {
			let { width: t, height: n } = Bp(e);
			i = t > 0 && n > 0;
		} else i = !!(e.measured.width && e.measured.height && !e.hidden);
		i && (!r || r.has(e.id)) && n.set(e.id, e);
	}), n;
}
async function fp({ nodes: e, width: t, height: n, panZoom: r, minZoom: i, maxZoom: a }, o) {
	if (e.size === 0) return !0;
	let s = Lp(cp(dp(e, o)), t, n, o?.minZoom ?? i, o?.maxZoom ?? a, o?.padding ?? .1);
	return await r.setViewport(s, {
		duration: o?.duration,
		ease: o?.ease,
		interpolate: o?.interpolate
	}), !0;
}
function pp({ nodeId: e, nextPosition: t, nodeLookup: n, nodeOrigin: r = [0, 0], nodeExtent: i, onError: a }) {
	let o = n.get(e), s = o.parentId ? n.get(o.parentId) : void 0, { x: c, y: l } = s ? s.internals.positionAbsolute : {
		x: 0,
		y: 0
	}, u = o.origin ?? r, d = o.extent || i;
	if (o.extent === "parent" && !o.expandParent) {
		if (!s) a?.("005", Kf.error005());
		else {
			let { width: e, height: t } = Bp(s);
			e && t && (d = [[c, l], [c + e, l + t]]);
		}
	} else s && zp(o.extent) && (d = [[o.extent[0][0] + c, o.extent[0][1] + l], [o.extent[1][0] + c, o.extent[1][1] + l]]);
	let f = zp(d) ? gp(t, d, o.measured) : t;
	return (o.measured.width === void 0 || o.measured.height === void 0) && a?.("015", Kf.error015()), {
		position: {
			x: f.x - c + (o.measured.width ?? 0) * u[0],
			y: f.y - l + (o.measured.height ?? 0) * u[1]
		},
		positionAbsolute: f
	};
}
async function mp({ nodesToRemove: e = [], edgesToRemove: t = [], nodes: n, edges: r, onBeforeDelete: i }) {
	let a = new Set(e.map((e) => e.id)), o = [];
	for (let e of n) {
		if (e.deletable === !1) continue;
		let t = a.has(e.id), n = !t && e.parentId && o.find((t) => t.id === e.parentId);
		(t || n) && o.push(e);
	}
	let s = new Set(t.map((e) => e.id)), c = r.filter((e) => e.deletable !== !1), l = up(o, c);
	for (let e of c) s.has(e.id) && !l.find((t) => t.id === e.id) && l.push(e);
	if (!i) return {
		edges: l,
		nodes: o
	};
	let u = await i({
		nodes: o,
		edges: l
	});
	return typeof u == "boolean" ? u ? {
		edges: l,
		nodes: o
	} : {
		edges: [],
		nodes: []
	} : u;
}
var hp = (e, t = 0, n = 1) => Math.min(Math.max(e, t), n), gp = (e = {
	x: 0,
	y: 0
}, t, n) => ({
	x: hp(e.x, t[0][0], t[1][0] - (n?.width ?? 0)),
	y: hp(e.y, t[0][1], t[1][1] - (n?.height ?? 0))
});
function _p(e, t, n) {
	let { width: r, height: i } = Bp(n), { x: a, y: o } = n.internals.positionAbsolute;
	return gp(e, [[a, o], [a + r, o + i]], t);
}
var vp = (e, t, n) => e < t ? hp(Math.abs(e - t), 1, t) / t : e > n ? -hp(Math.abs(e - n), 1, t) / t : 0, yp = (e, t, n = 15, r = 40) => [vp(e.x, r, t.width - r) * n, vp(e.y, r, t.height - r) * n], bp = (e, t) => ({
	x: Math.min(e.x, t.x),
	y: Math.min(e.y, t.y),
	x2: Math.max(e.x2, t.x2),
	y2: Math.max(e.y2, t.y2)
}), xp = ({ x: e, y: t, width: n, height: r }) => ({
	x: e,
	y: t,
	x2: e + n,
	y2: t + r
}), Sp = ({ x: e, y: t, x2: n, y2: r }) => ({
	x: e,
	y: t,
	width: n - e,
	height: r - t
}), Cp = (e, t = [0, 0]) => {
	let { x: n, y: r } = ap(e) ? e.internals.positionAbsolute : op(e, t);
	return {
		x: n,
		y: r,
		width: e.measured?.width ?? e.width ?? e.initialWidth ?? 0,
		height: e.measured?.height ?? e.height ?? e.initialHeight ?? 0
	};
}, wp = (e, t = [0, 0]) => {
	let { x: n, y: r } = ap(e) ? e.internals.positionAbsolute : op(e, t);
	return {
		x: n,
		y: r,
		x2: n + (e.measured?.width ?? e.width ?? e.initialWidth ?? 0),
		y2: r + (e.measured?.height ?? e.height ?? e.initialHeight ?? 0)
	};
}, Tp = (e, t) => Sp(bp(xp(e), xp(t))), Ep = (e, t, n, r, i, a, o, s) => {
	let c = Math.max(0, Math.min(e + n, i + o) - Math.max(e, i)), l = Math.max(0, Math.min(t + r, a + s) - Math.max(t, a));
	return Math.ceil(c * l);
}, Dp = (e, t) => Ep(e.x, e.y, e.width, e.height, t.x, t.y, t.width, t.height), Op = (e) => kp(e.width) && kp(e.height) && kp(e.x) && kp(e.y), kp = (e) => !isNaN(e) && isFinite(e), Ap = (e, t) => (e, t) => {}, jp = (e, t = [1, 1]) => ({
	x: t[0] * Math.round(e.x / t[0]),
	y: t[1] * Math.round(e.y / t[1])
}), Mp = ({ x: e, y: t }, [n, r, i], a = !1, o = [1, 1]) => {
	let s = {
		x: (e - n) / i,
		y: (t - r) / i
	};
	return a ? jp(s, o) : s;
}, Np = ({ x: e, y: t }, [n, r, i]) => ({
	x: e * i + n,
	y: t * i + r
});
function Pp(e, t) {
	if (typeof e == "number") return Math.floor((t - t / (1 + e)) * .5);
	if (typeof e == "string" && e.endsWith("px")) {
		let t = parseFloat(e);
		if (!Number.isNaN(t)) return Math.floor(t);
	}
	if (typeof e == "string" && e.endsWith("%")) {
		let n = parseFloat(e);
		if (!Number.isNaN(n)) return Math.floor(t * n * .01);
	}
	return console.error(`The padding value "${e}" is invalid. Please provide a number or a string with a valid unit (px or %).`), 0;
}
function Fp(e, t, n) {
	if (typeof e == "string" || typeof e == "number") {
		let r = Pp(e, n), i = Pp(e, t);
		return {
			top: r,
			right: i,
			bottom: r,
			left: i,
			x: i * 2,
			y: r * 2
		};
	}
	if (typeof e == "object") {
		let r = Pp(e.top ?? e.y ?? 0, n), i = Pp(e.bottom ?? e.y ?? 0, n), a = Pp(e.left ?? e.x ?? 0, t), o = Pp(e.right ?? e.x ?? 0, t);
		return {
			top: r,
			right: o,
			bottom: i,
			left: a,
			x: a + o,
			y: r + i
		};
	}
	return {
		top: 0,
		right: 0,
		bottom: 0,
		left: 0,
		x: 0,
		y: 0
	};
}
function Ip(e, t, n, r, i, a) {
	let { x: o, y: s } = Np(e, [
		t,
		n,
		r
	]), { x: c, y: l } = Np({
		x: e.x + e.width,
		y: e.y + e.height
	}, [
		t,
		n,
		r
	]), u = i - c, d = a - l;
	return {
		left: Math.floor(o),
		top: Math.floor(s),
		right: Math.floor(u),
		bottom: Math.floor(d)
	};
}
var Lp = (e, t, n, r, i, a) => {
	let o = Fp(a, t, n), s = (t - o.x) / e.width, c = (n - o.y) / e.height, l = hp(Math.min(s, c), r, i), u = e.x + e.width / 2, d = e.y + e.height / 2, f = t / 2 - u * l, p = n / 2 - d * l, m = Ip(e, f, p, l, t, n), h = {
		left: Math.min(m.left - o.left, 0),
		top: Math.min(m.top - o.top, 0),
		right: Math.min(m.right - o.right, 0),
		bottom: Math.min(m.bottom - o.bottom, 0)
	};
	return {
		x: f - h.left + h.right,
		y: p - h.top + h.bottom,
		zoom: l
	};
}, Rp = () => typeof navigator < "u" && navigator?.userAgent?.indexOf("Mac") >= 0;
function zp(e) {
	return e != null && e !== "parent";
}
function Bp(e) {
	return {
		width: e.measured?.width ?? e.width ?? e.initialWidth ?? 0,
		height: e.measured?.height ?? e.height ?? e.initialHeight ?? 0
	};
}
function Vp(e) {
	return (e.measured?.width ?? e.width ?? e.initialWidth) !== void 0 && (e.measured?.height ?? e.height ?? e.initialHeight) !== void 0;
}
function Hp(e, t = {
	width: 0,
	height: 0
}, n, r, i) {
	let a = { ...e }, o = r.get(n);
	if (o) {
		let e = o.origin || i;
		a.x += o.internals.positionAbsolute.x - (t.width ?? 0) * e[0], a.y += o.internals.positionAbsolute.y - (t.height ?? 0) * e[1];
	}
	return a;
}
function Up(e) {
	return {
		...Yf,
		...e || {}
	};
}
function Wp(e, t) {
	if (!e && !t) return !0;
	if (!e || !t || e.size !== t.size) return !1;
	if (!e.size && !t.size) return !0;
	for (let n of e.keys()) if (!t.has(n)) return !1;
	return !0;
}
function Gp(e, t, n) {
	if (!n) return;
	let r = [];
	e.forEach((e, n) => {
		t?.has(n) || r.push(e);
	}), r.length && n(r);
}
function Kp(e) {
	return e === null ? null : e ? "valid" : "invalid";
}
function qp(e, { snapGrid: t = [0, 0], snapToGrid: n = !1, transform: r, containerBounds: i }) {
	let { x: a, y: o } = $p(e), s = Mp({
		x: a - (i?.left ?? 0),
		y: o - (i?.top ?? 0)
	}, r), { x: c, y: l } = n ? jp(s, t) : s;
	return {
		xSnapped: c,
		ySnapped: l,
		...s
	};
}
var Jp = (e) => ({
	width: e.offsetWidth,
	height: e.offsetHeight
}), Yp = (e) => e?.getRootNode?.() || window?.document, Xp = [
	"INPUT",
	"SELECT",
	"TEXTAREA"
];
function Zp(e) {
	let t = e.composedPath?.()?.[0] || e.target;
	return t?.nodeType === 1 ? Xp.includes(t.nodeName) || t.hasAttribute("contenteditable") || !!t.closest(".nokey") : !1;
}
var Qp = (e) => "clientX" in e, $p = (e, t) => {
	let n = Qp(e), r = n ? e.clientX : e.touches?.[0].clientX, i = n ? e.clientY : e.touches?.[0].clientY;
	return {
		x: r - (t?.left ?? 0),
		y: i - (t?.top ?? 0)
	};
}, em = (e, t, n, r, i) => {
	let a = t.querySelectorAll(`.${e}`);
	return !a || !a.length ? null : Array.from(a).map((t) => {
		let a = t.getBoundingClientRect();
		return {
			id: t.getAttribute("data-handleid"),
			type: e,
			nodeId: i,
			position: t.getAttribute("data-handlepos"),
			x: (a.left - n.left) / r,
			y: (a.top - n.top) / r,
			...Jp(t)
		};
	});
};
function tm({ sourceX: e, sourceY: t, targetX: n, targetY: r, sourceControlX: i, sourceControlY: a, targetControlX: o, targetControlY: s }) {
	let c = e * .125 + i * .375 + o * .375 + n * .125, l = t * .125 + a * .375 + s * .375 + r * .125;
	return [
		c,
		l,
		Math.abs(c - e),
		Math.abs(l - t)
	];
}
function nm(e, t) {
	return e >= 0 ? .5 * e : t * 25 * Math.sqrt(-e);
}
function rm({ pos: e, x1: t, y1: n, x2: r, y2: i, c: a }) {
	switch (e) {
		case q.Left: return [t - nm(t - r, a), n];
		case q.Right: return [t + nm(r - t, a), n];
		case q.Top: return [t, n - nm(n - i, a)];
		case q.Bottom: return [t, n + nm(i - n, a)];
	}
}
function im({ sourceX: e, sourceY: t, sourcePosition: n = q.Bottom, targetX: r, targetY: i, targetPosition: a = q.Top, curvature: o = .25 }) {
	let [s, c] = rm({
		pos: n,
		x1: e,
		y1: t,
		x2: r,
		y2: i,
		c: o
	}), [l, u] = rm({
		pos: a,
		x1: r,
		y1: i,
		x2: e,
		y2: t,
		c: o
	}), [d, f, p, m] = tm({
		sourceX: e,
		sourceY: t,
		targetX: r,
		targetY: i,
		sourceControlX: s,
		sourceControlY: c,
		targetControlX: l,
		targetControlY: u
	});
	return [
		`M${e},${t} C${s},${c} ${l},${u} ${r},${i}`,
		d,
		f,
		p,
		m
	];
}
function am({ sourceX: e, sourceY: t, targetX: n, targetY: r }) {
	let i = Math.abs(n - e) / 2, a = n < e ? n + i : n - i, o = Math.abs(r - t) / 2;
	return [
		a,
		r < t ? r + o : r - o,
		i,
		o
	];
}
function om({ sourceNode: e, targetNode: t, selected: n = !1, zIndex: r = 0, elevateOnSelect: i = !1, zIndexMode: a = "basic" }) {
	return a === "manual" ? r : (i && n ? r + 1e3 : r) + Math.max(e.parentId || i && e.selected ? e.internals.z : 0, t.parentId || i && t.selected ? t.internals.z : 0);
}
function sm({ sourceNode: e, targetNode: t, width: n, height: r, transform: i }) {
	let a = bp(wp(e), wp(t));
	return a.x === a.x2 && (a.x2 += 1), a.y === a.y2 && (a.y2 += 1), Dp({
		x: -i[0] / i[2],
		y: -i[1] / i[2],
		width: n / i[2],
		height: r / i[2]
	}, Sp(a)) > 0;
}
var cm = ({ source: e, sourceHandle: t, target: n, targetHandle: r }) => `xy-edge__${e}${t || ""}-${n}${r || ""}`, lm = (e, t) => t.some((t) => t.source === e.source && t.target === e.target && (t.sourceHandle === e.sourceHandle || !t.sourceHandle && !e.sourceHandle) && (t.targetHandle === e.targetHandle || !t.targetHandle && !e.targetHandle)), um = (e, t, n = {}) => {
	if (!e.source || !e.target) return n.onError?.("006", Kf.error006()), t;
	let r = n.getEdgeId || cm, i;
	return i = rp(e) ? { ...e } : {
		...e,
		id: r(e)
	}, lm(i, t) ? t : (i.sourceHandle === null && delete i.sourceHandle, i.targetHandle === null && delete i.targetHandle, t.concat(i));
};
function dm({ sourceX: e, sourceY: t, targetX: n, targetY: r }) {
	let [i, a, o, s] = am({
		sourceX: e,
		sourceY: t,
		targetX: n,
		targetY: r
	});
	return [
		`M ${e},${t}L ${n},${r}`,
		i,
		a,
		o,
		s
	];
}
var fm = {
	[q.Left]: {
		x: -1,
		y: 0
	},
	[q.Right]: {
		x: 1,
		y: 0
	},
	[q.Top]: {
		x: 0,
		y: -1
	},
	[q.Bottom]: {
		x: 0,
		y: 1
	}
}, pm = ({ source: e, sourcePosition: t = q.Bottom, target: n }) => t === q.Left || t === q.Right ? e.x < n.x ? {
	x: 1,
	y: 0
} : {
	x: -1,
	y: 0
} : e.y < n.y ? {
	x: 0,
	y: 1
} : {
	x: 0,
	y: -1
}, mm = (e, t) => Math.sqrt((t.x - e.x) ** 2 + (t.y - e.y) ** 2);
function hm({ source: e, sourcePosition: t = q.Bottom, target: n, targetPosition: r = q.Top, center: i, offset: a, stepPosition: o }) {
	let s = fm[t], c = fm[r], l = {
		x: e.x + s.x * a,
		y: e.y + s.y * a
	}, u = {
		x: n.x + c.x * a,
		y: n.y + c.y * a
	}, d = pm({
		source: l,
		sourcePosition: t,
		target: u
	}), f = d.x === 0 ? "y" : "x", p = d[f], m = [], h, g, _ = {
		x: 0,
		y: 0
	}, v = {
		x: 0,
		y: 0
	}, [, , y, b] = am({
		sourceX: e.x,
		sourceY: e.y,
		targetX: n.x,
		targetY: n.y
	});
	if (s[f] * c[f] === -1) {
		f === "x" ? (h = i.x ?? l.x + (u.x - l.x) * o, g = i.y ?? (l.y + u.y) / 2) : (h = i.x ?? (l.x + u.x) / 2, g = i.y ?? l.y + (u.y - l.y) * o);
		let e = [{
			x: h,
			y: l.y
		}, {
			x: h,
			y: u.y
		}], t = [{
			x: l.x,
			y: g
		}, {
			x: u.x,
			y: g
		}];
		m = s[f] === p ? f === "x" ? e : t : f === "x" ? t : e;
	} else {
		let i = [{
			x: l.x,
			y: u.y
		}], o = [{
			x: u.x,
			y: l.y
		}];
		if (m = f === "x" ? s.x === p ? o : i : s.y === p ? i : o, t === r) {
			let t = Math.abs(e[f] - n[f]);
			if (t <= a) {
				let r = Math.min(a - 1, a - t);
				s[f] === p ? _[f] = (l[f] > e[f] ? -1 : 1) * r : v[f] = (u[f] > n[f] ? -1 : 1) * r;
			}
		}
		if (t !== r) {
			let e = f === "x" ? "y" : "x", t = s[f] === c[e], n = l[e] > u[e], r = l[e] < u[e];
			(s[f] === 1 && (!t && n || t && r) || s[f] !== 1 && (!t && r || t && n)) && (m = f === "x" ? i : o);
		}
		let d = {
			x: l.x + _.x,
			y: l.y + _.y
		}, y = {
			x: u.x + v.x,
			y: u.y + v.y
		};
		Math.max(Math.abs(d.x - m[0].x), Math.abs(y.x - m[0].x)) >= Math.max(Math.abs(d.y - m[0].y), Math.abs(y.y - m[0].y)) ? (h = (d.x + y.x) / 2, g = m[0].y) : (h = m[0].x, g = (d.y + y.y) / 2);
	}
	let x = {
		x: l.x + _.x,
		y: l.y + _.y
	}, S = {
		x: u.x + v.x,
		y: u.y + v.y
	};
	return [
		[
			e,
			...x.x !== m[0].x || x.y !== m[0].y ? [x] : [],
			...m,
			...S.x !== m[m.length - 1].x || S.y !== m[m.length - 1].y ? [S] : [],
			n
		],
		h,
		g,
		y,
		b
	];
}
function gm(e, t, n, r) {
	let i = Math.min(mm(e, t) / 2, mm(t, n) / 2, r), { x: a, y: o } = t;
	if (e.x === a && a === n.x || e.y === o && o === n.y) return `L${a} ${o}`;
	if (e.y === o) {
		let t = e.x < n.x ? -1 : 1, r = e.y < n.y ? 1 : -1;
		return `L ${a + i * t},${o}Q ${a},${o} ${a},${o + i * r}`;
	}
	let s = e.x < n.x ? 1 : -1;
	return `L ${a},${o + i * (e.y < n.y ? -1 : 1)}Q ${a},${o} ${a + i * s},${o}`;
}
function _m({ sourceX: e, sourceY: t, sourcePosition: n = q.Bottom, targetX: r, targetY: i, targetPosition: a = q.Top, borderRadius: o = 5, centerX: s, centerY: c, offset: l = 20, stepPosition: u = .5 }) {
	let [d, f, p, m, h] = hm({
		source: {
			x: e,
			y: t
		},
		sourcePosition: n,
		target: {
			x: r,
			y: i
		},
		targetPosition: a,
		center: {
			x: s,
			y: c
		},
		offset: l,
		stepPosition: u
	}), g = `M${d[0].x} ${d[0].y}`;
	for (let e = 1; e < d.length - 1; e++) g += gm(d[e - 1], d[e], d[e + 1], o);
	return g += `L${d[d.length - 1].x} ${d[d.length - 1].y}`, [
		g,
		f,
		p,
		m,
		h
	];
}
function vm(e) {
	return e && !!(e.internals.handleBounds || e.handles?.length) && !!(e.measured.width || e.width || e.initialWidth);
}
function ym(e) {
	let { sourceNode: t, targetNode: n } = e;
	if (!vm(t) || !vm(n)) return null;
	let r = t.internals.handleBounds || bm(t.handles), i = n.internals.handleBounds || bm(n.handles), a = Sm(r?.source ?? [], e.sourceHandle), o = Sm(e.connectionMode === Xf.Strict ? i?.target ?? [] : (i?.target ?? []).concat(i?.source ?? []), e.targetHandle);
	if (!a || !o) return e.onError?.("008", Kf.error008(a ? "target" : "source", {
		id: e.id,
		sourceHandle: e.sourceHandle,
		targetHandle: e.targetHandle
	})), null;
	let s = a?.position || q.Bottom, c = o?.position || q.Top, l = xm(t, a, s), u = xm(n, o, c);
	return {
		sourceX: l.x,
		sourceY: l.y,
		targetX: u.x,
		targetY: u.y,
		sourcePosition: s,
		targetPosition: c
	};
}
function bm(e) {
	if (!e) return null;
	let t = [], n = [];
	for (let r of e) r.width = r.width ?? 1, r.height = r.height ?? 1, r.type === "source" ? t.push(r) : r.type === "target" && n.push(r);
	return {
		source: t,
		target: n
	};
}
function xm(e, t, n = q.Left, r = !1) {
	let i = (t?.x ?? 0) + e.internals.positionAbsolute.x, a = (t?.y ?? 0) + e.internals.positionAbsolute.y, { width: o, height: s } = t ?? Bp(e);
	if (r) return {
		x: i + o / 2,
		y: a + s / 2
	};
	switch (t?.position ?? n) {
		case q.Top: return {
			x: i + o / 2,
			y: a
		};
		case q.Right: return {
			x: i + o,
			y: a + s / 2
		};
		case q.Bottom: return {
			x: i + o / 2,
			y: a + s
		};
		case q.Left: return {
			x: i,
			y: a + s / 2
		};
	}
}
function Sm(e, t) {
	return e && (t ? e.find((e) => e.id === t) : e[0]) || null;
}
function Cm(e, t) {
	return e ? typeof e == "string" ? e : `${t ? `${t}__` : ""}${Object.keys(e).sort().map((t) => `${t}=${e[t]}`).join("&")}` : "";
}
function wm(e, { id: t, defaultColor: n, defaultMarkerStart: r, defaultMarkerEnd: i }) {
	let a = /* @__PURE__ */ new Set();
	return e.reduce((e, o) => ([o.markerStart || r, o.markerEnd || i].forEach((r) => {
		if (r && typeof r == "object") {
			let i = Cm(r, t);
			a.has(i) || (e.push({
				id: i,
				color: r.color || n,
				...r
			}), a.add(i));
		}
	}), e), []).sort((e, t) => e.id.localeCompare(t.id));
}
var Tm = 1e3, Em = 10, Dm = {
	nodeOrigin: [0, 0],
	nodeExtent: qf,
	elevateNodesOnSelect: !0,
	zIndexMode: "basic",
	defaults: {}
}, Om = {
	...Dm,
	checkEquality: !0
};
function km(e, t) {
	let n = { ...e };
	for (let e in t) t[e] !== void 0 && (n[e] = t[e]);
	return n;
}
function Am(e, t, n) {
	let r = km(Dm, n);
	for (let n of e.values()) if (n.parentId) Fm(n, e, t, r);
	else {
		let e = gp(op(n, r.nodeOrigin), zp(n.extent) ? n.extent : r.nodeExtent, Bp(n));
		n.internals.positionAbsolute = e;
	}
}
function jm(e, t) {
	if (!e.handles) return e.measured ? t?.internals.handleBounds : void 0;
	let n = [], r = [];
	for (let t of e.handles) {
		let i = {
			id: t.id,
			width: t.width ?? 1,
			height: t.height ?? 1,
			nodeId: e.id,
			x: t.x,
			y: t.y,
			position: t.position,
			type: t.type
		};
		t.type === "source" ? n.push(i) : t.type === "target" && r.push(i);
	}
	return {
		source: n,
		target: r
	};
}
function Mm(e) {
	return e === "manual";
}
function Nm(e, t, n, r = {}) {
	let i = km(Om, r), a = { i: 0 }, o = new Map(t), s = i?.elevateNodesOnSelect && !Mm(i.zIndexMode) ? Tm : 0, c = e.length > 0, l = !1;
	t.clear(), n.clear();
	for (let u of e) {
		let e = o.get(u.id);
		if (i.checkEquality && u === e?.internals.userNode) t.set(u.id, e);
		else {
			let n = gp(op(u, i.nodeOrigin), zp(u.extent) ? u.extent : i.nodeExtent, Bp(u));
			e = {
				...i.defaults,
				...u,
				measured: {
					width: u.measured?.width,
					height: u.measured?.height
				},
				internals: {
					positionAbsolute: n,
					handleBounds: jm(u, e),
					z: Im(u, s, i.zIndexMode),
					userNode: u
				}
			}, t.set(u.id, e);
		}
		e.measured !== void 0 && e.measured.width !== void 0 && e.measured.height !== void 0 || e.hidden || (c = !1), u.parentId && Fm(e, t, n, r, a), l ||= u.selected ?? !1;
	}
	return {
		nodesInitialized: c,
		hasSelectedNodes: l
	};
}
function Pm(e, t) {
	if (!e.parentId) return;
	let n = t.get(e.parentId);
	n ? n.set(e.id, e) : t.set(e.parentId, /* @__PURE__ */ new Map([[e.id, e]]));
}
function Fm(e, t, n, r, i) {
	let { elevateNodesOnSelect: a, nodeOrigin: o, nodeExtent: s, zIndexMode: c } = km(Dm, r), l = e.parentId, u = t.get(l);
	if (!u) {
		console.warn(`Parent node ${l} not found. Please make sure that parent nodes are in front of their child nodes in the nodes array.`);
		return;
	}
	Pm(e, n), i && !u.parentId && u.internals.rootParentIndex === void 0 && c === "auto" && (u.internals.rootParentIndex = ++i.i, u.internals.z = u.internals.z + i.i * Em), i && u.internals.rootParentIndex !== void 0 && (i.i = u.internals.rootParentIndex);
	let { x: d, y: f, z: p } = Lm(e, u, o, s, a && !Mm(c) ? Tm : 0, c), { positionAbsolute: m } = e.internals, h = d !== m.x || f !== m.y;
	(h || p !== e.internals.z) && t.set(e.id, {
		...e,
		internals: {
			...e.internals,
			positionAbsolute: h ? {
				x: d,
				y: f
			} : m,
			z: p
		}
	});
}
function Im(e, t, n) {
	let r = kp(e.zIndex) ? e.zIndex : 0;
	return Mm(n) ? r : r + (e.selected ? t : 0);
}
function Lm(e, t, n, r, i, a) {
	let { x: o, y: s } = t.internals.positionAbsolute, c = Bp(e), l = op(e, n), u = zp(e.extent) ? gp(l, e.extent, c) : l, d = gp({
		x: o + u.x,
		y: s + u.y
	}, r, c);
	e.extent === "parent" && (d = _p(d, c, t));
	let f = Im(e, i, a), p = t.internals.z ?? 0;
	return {
		x: d.x,
		y: d.y,
		z: p >= f ? p + 1 : f
	};
}
function Rm(e, t, n, r = [0, 0]) {
	let i = [], a = /* @__PURE__ */ new Map();
	for (let n of e) {
		let e = t.get(n.parentId);
		if (!e) continue;
		let r = Tp(a.get(n.parentId)?.expandedRect ?? Cp(e), n.rect);
		a.set(n.parentId, {
			expandedRect: r,
			parent: e
		});
	}
	return a.size > 0 && a.forEach(({ expandedRect: t, parent: a }, o) => {
		let s = a.internals.positionAbsolute, c = Bp(a), l = a.origin ?? r, u = t.x < s.x ? Math.round(Math.abs(s.x - t.x)) : 0, d = t.y < s.y ? Math.round(Math.abs(s.y - t.y)) : 0, f = Math.max(c.width, Math.round(t.width)), p = Math.max(c.height, Math.round(t.height)), m = (f - c.width) * l[0], h = (p - c.height) * l[1];
		(u > 0 || d > 0 || m || h) && (i.push({
			id: o,
			type: "position",
			position: {
				x: a.position.x - u + m,
				y: a.position.y - d + h
			}
		}), n.get(o)?.forEach((t) => {
			e.some((e) => e.id === t.id) || i.push({
				id: t.id,
				type: "position",
				position: {
					x: t.position.x + u,
					y: t.position.y + d
				}
			});
		})), (c.width < t.width || c.height < t.height || u || d) && i.push({
			id: o,
			type: "dimensions",
			setAttributes: !0,
			dimensions: {
				width: f + (u ? l[0] * u - m : 0),
				height: p + (d ? l[1] * d - h : 0)
			}
		});
	}), i;
}
function zm(e, t, n, r, i, a, o) {
	let s = r?.querySelector(".xyflow__viewport"), c = !1;
	if (!s) return {
		changes: [],
		updatedInternals: c
	};
	let l = [], u = window.getComputedStyle(s), { m22: d } = new window.DOMMatrixReadOnly(u.transform), f = [];
	for (let r of e.values()) {
		let e = t.get(r.id);
		if (!e) continue;
		if (e.hidden) {
			t.set(e.id, {
				...e,
				internals: {
					...e.internals,
					handleBounds: void 0
				}
			}), c = !0;
			continue;
		}
		let s = Jp(r.nodeElement), u = e.measured.width !== s.width || e.measured.height !== s.height;
		if (s.width && s.height && (u || !e.internals.handleBounds || r.force)) {
			let p = r.nodeElement.getBoundingClientRect(), m = zp(e.extent) ? e.extent : a, { positionAbsolute: h } = e.internals;
			if (e.parentId && e.extent === "parent") {
				let n = t.get(e.parentId);
				n && (h = _p(h, s, n));
			} else m && (h = gp(h, m, s));
			let g = {
				...e,
				measured: s,
				internals: {
					...e.internals,
					positionAbsolute: h,
					handleBounds: {
						source: em("source", r.nodeElement, p, d, e.id),
						target: em("target", r.nodeElement, p, d, e.id)
					}
				}
			};
			t.set(e.id, g), e.parentId && Fm(g, t, n, {
				nodeOrigin: i,
				zIndexMode: o
			}), c = !0, u && (l.push({
				id: e.id,
				type: "dimensions",
				dimensions: s
			}), e.expandParent && e.parentId && f.push({
				id: e.id,
				parentId: e.parentId,
				rect: Cp(g, i)
			}));
		}
	}
	if (f.length > 0) {
		let e = Rm(f, t, n, i);
		l.push(...e);
	}
	return {
		changes: l,
		updatedInternals: c
	};
}
async function Bm({ delta: e, panZoom: t, transform: n, translateExtent: r, width: i, height: a }) {
	if (!t || !e.x && !e.y) return !1;
	let o = await t.setViewportConstrained({
		x: n[0] + e.x,
		y: n[1] + e.y,
		zoom: n[2]
	}, [[0, 0], [i, a]], r);
	return !!o && (o.x !== n[0] || o.y !== n[1] || o.k !== n[2]);
}
function Vm(e, t, n, r, i, a) {
	let o = i, s = r.get(o) || /* @__PURE__ */ new Map();
	r.set(o, s.set(n, t)), o = `${i}-${e}`;
	let c = r.get(o) || /* @__PURE__ */ new Map();
	if (r.set(o, c.set(n, t)), a) {
		o = `${i}-${e}-${a}`;
		let s = r.get(o) || /* @__PURE__ */ new Map();
		r.set(o, s.set(n, t));
	}
}
function Hm(e, t, n) {
	e.clear(), t.clear();
	for (let r of n) {
		let { source: n, target: i, sourceHandle: a = null, targetHandle: o = null } = r, s = {
			edgeId: r.id,
			source: n,
			target: i,
			sourceHandle: a,
			targetHandle: o
		}, c = `${n}-${a}--${i}-${o}`;
		Vm("source", s, `${i}-${o}--${n}-${a}`, e, n, a), Vm("target", s, c, e, i, o), t.set(r.id, r);
	}
}
function Um(e, t) {
	if (!e.parentId) return !1;
	let n = t.get(e.parentId);
	return n ? n.selected ? !0 : Um(n, t) : !1;
}
function Wm(e, t, n) {
	let r = e;
	do {
		if (r?.matches?.(t)) return !0;
		if (r === n) return !1;
		r = r?.parentElement;
	} while (r);
	return !1;
}
function Gm(e, t, n, r) {
	let i = /* @__PURE__ */ new Map();
	for (let [a, o] of e) if ((o.selected || o.id === r) && (!o.parentId || !Um(o, e)) && (o.draggable || t && o.draggable === void 0)) {
		let t = e.get(a);
		t && i.set(a, {
			id: a,
			position: t.position || {
				x: 0,
				y: 0
			},
			distance: {
				x: n.x - t.internals.positionAbsolute.x,
				y: n.y - t.internals.positionAbsolute.y
			},
			extent: t.extent,
			parentId: t.parentId,
			origin: t.origin,
			expandParent: t.expandParent,
			internals: { positionAbsolute: t.internals.positionAbsolute || {
				x: 0,
				y: 0
			} },
			measured: {
				width: t.measured.width ?? 0,
				height: t.measured.height ?? 0
			}
		});
	}
	return i;
}
function Km({ nodeId: e, dragItems: t, nodeLookup: n, dragging: r = !0 }) {
	let i = [];
	for (let [e, a] of t) {
		let t = n.get(e)?.internals.userNode;
		t && i.push({
			...t,
			position: a.position,
			dragging: r
		});
	}
	if (!e) return [i[0], i];
	let a = n.get(e)?.internals.userNode;
	return [a ? {
		...a,
		position: t.get(e)?.position || a.position,
		dragging: r
	} : i[0], i];
}
function qm({ dragItems: e, snapGrid: t, x: n, y: r }) {
	let i = e.values().next().value;
	if (!i) return null;
	let a = {
		x: n - i.distance.x,
		y: r - i.distance.y
	}, o = jp(a, t);
	return {
		x: o.x - a.x,
		y: o.y - a.y
	};
}
function Jm({ onNodeMouseDown: e, getStoreItems: t, onDragStart: n, onDrag: r, onDragStop: i }) {
	let a = {
		x: null,
		y: null
	}, o = 0, s = /* @__PURE__ */ new Map(), c = !1, l = {
		x: 0,
		y: 0
	}, u = null, d = !1, f = null, p = !1, m = !1, h = null;
	function g({ noDragClassName: g, handleSelector: _, domNode: v, isSelectable: y, nodeId: b, nodeClickDistance: x = 0 }) {
		f = gc(v);
		function S({ x: e, y: n }) {
			let { nodeLookup: i, nodeExtent: o, snapGrid: c, snapToGrid: l, nodeOrigin: u, onNodeDrag: d, onSelectionDrag: f, onError: p, updateNodePositions: g } = t();
			a = {
				x: e,
				y: n
			};
			let _ = !1, v = s.size > 1, y = v && o ? xp(cp(s)) : null, x = v && l ? qm({
				dragItems: s,
				snapGrid: c,
				x: e,
				y: n
			}) : null;
			for (let [t, r] of s) {
				if (!i.has(t)) continue;
				let a = {
					x: e - r.distance.x,
					y: n - r.distance.y
				};
				l && (a = x ? {
					x: Math.round(a.x + x.x),
					y: Math.round(a.y + x.y)
				} : jp(a, c));
				let s = null;
				if (v && o && !r.extent && y) {
					let { positionAbsolute: e } = r.internals, t = e.x - y.x + o[0][0], n = e.x + r.measured.width - y.x2 + o[1][0], i = e.y - y.y + o[0][1], a = e.y + r.measured.height - y.y2 + o[1][1];
					s = [[t, i], [n, a]];
				}
				let { position: d, positionAbsolute: f } = pp({
					nodeId: t,
					nextPosition: a,
					nodeLookup: i,
					nodeExtent: s || o,
					nodeOrigin: u,
					onError: p
				});
				_ = _ || r.position.x !== d.x || r.position.y !== d.y, r.position = d, r.internals.positionAbsolute = f;
			}
			if (m ||= _, _ && (g(s, !0), h && (r || d || !b && f))) {
				let [e, t] = Km({
					nodeId: b,
					dragItems: s,
					nodeLookup: i
				});
				r?.(h, s, e, t), d?.(h, e, t), b || f?.(h, t);
			}
		}
		async function C() {
			if (!u) return;
			let { transform: e, panBy: n, autoPanSpeed: r, autoPanOnNodeDrag: i } = t();
			if (!i) {
				c = !1, cancelAnimationFrame(o);
				return;
			}
			let [s, d] = yp(l, u, r);
			(s !== 0 || d !== 0) && (a.x = (a.x ?? 0) - s / e[2], a.y = (a.y ?? 0) - d / e[2], await n({
				x: s,
				y: d
			}) && S(a)), o = requestAnimationFrame(C);
		}
		function w(r) {
			let { nodeLookup: i, multiSelectionActive: o, nodesDraggable: c, transform: l, snapGrid: f, snapToGrid: p, selectNodesOnDrag: m, onNodeDragStart: h, onSelectionDragStart: g, unselectNodesAndEdges: _ } = t();
			d = !0, m && y || o || !b || i.get(b)?.selected || _(), y && m && b && e?.(b);
			let v = qp(r.sourceEvent, {
				transform: l,
				snapGrid: f,
				snapToGrid: p,
				containerBounds: u
			});
			if (a = v, s = Gm(i, c, v, b), s.size > 0 && (n || h || !b && g)) {
				let [e, t] = Km({
					nodeId: b,
					dragItems: s,
					nodeLookup: i
				});
				n?.(r.sourceEvent, s, e, t), h?.(r.sourceEvent, e, t), b || g?.(r.sourceEvent, t);
			}
		}
		let ee = Pc().clickDistance(x).on("start", (e) => {
			let { domNode: n, nodeDragThreshold: r, transform: i, snapGrid: o, snapToGrid: s } = t();
			u = n?.getBoundingClientRect() || null, p = !1, m = !1, h = e.sourceEvent, r === 0 && w(e), a = qp(e.sourceEvent, {
				transform: i,
				snapGrid: o,
				snapToGrid: s,
				containerBounds: u
			}), l = $p(e.sourceEvent, u);
		}).on("drag", (e) => {
			let { autoPanOnNodeDrag: n, transform: r, snapGrid: i, snapToGrid: o, nodeDragThreshold: f, nodeLookup: m } = t(), g = qp(e.sourceEvent, {
				transform: r,
				snapGrid: i,
				snapToGrid: o,
				containerBounds: u
			});
			if (h = e.sourceEvent, (e.sourceEvent.type === "touchmove" && e.sourceEvent.touches.length > 1 || b && !m.has(b)) && (p = !0), !p) {
				if (!c && n && d && (c = !0, C()), !d) {
					let t = $p(e.sourceEvent, u), n = t.x - l.x, r = t.y - l.y;
					Math.sqrt(n * n + r * r) > f && w(e);
				}
				(a.x !== g.xSnapped || a.y !== g.ySnapped) && s && d && (l = $p(e.sourceEvent, u), S(g));
			}
		}).on("end", (e) => {
			if (!d || p) p && s.size > 0 && t().updateNodePositions(s, !1);
			else if (c = !1, d = !1, cancelAnimationFrame(o), s.size > 0) {
				let { nodeLookup: n, updateNodePositions: r, onNodeDragStop: a, onSelectionDragStop: o } = t();
				if (m &&= (r(s, !1), !1), i || a || !b && o) {
					let [t, r] = Km({
						nodeId: b,
						dragItems: s,
						nodeLookup: n,
						dragging: !1
					});
					i?.(e.sourceEvent, s, t, r), a?.(e.sourceEvent, t, r), b || o?.(e.sourceEvent, r);
				}
			}
		}).filter((e) => {
			let t = e.target;
			return !e.button && (!g || !Wm(t, `.${g}`, v)) && (!_ || Wm(t, _, v));
		});
		f.call(ee);
	}
	function _() {
		f?.on(".drag", null);
	}
	return {
		update: g,
		destroy: _
	};
}
function Ym(e, t, n) {
	let r = [], i = {
		x: e.x - n,
		y: e.y - n,
		width: n * 2,
		height: n * 2
	};
	for (let e of t.values()) Dp(i, Cp(e)) > 0 && r.push(e);
	return r;
}
var Xm = 250;
function Zm(e, t, n, r) {
	let i = [], a = Infinity, o = Ym(e, n, t + Xm);
	for (let n of o) {
		let o = [...n.internals.handleBounds?.source ?? [], ...n.internals.handleBounds?.target ?? []];
		for (let s of o) {
			if (r.nodeId === s.nodeId && r.type === s.type && r.id === s.id) continue;
			let { x: o, y: c } = xm(n, s, s.position, !0), l = Math.sqrt((o - e.x) ** 2 + (c - e.y) ** 2);
			l > t || (l < a ? (i = [{
				...s,
				x: o,
				y: c
			}], a = l) : l === a && i.push({
				...s,
				x: o,
				y: c
			}));
		}
	}
	if (!i.length) return null;
	if (i.length > 1) {
		let e = r.type === "source" ? "target" : "source";
		return i.find((t) => t.type === e) ?? i[0];
	}
	return i[0];
}
function Qm(e, t, n, r, i, a = !1) {
	let o = r.get(e);
	if (!o) return null;
	let s = i === "strict" ? o.internals.handleBounds?.[t] : [...o.internals.handleBounds?.source ?? [], ...o.internals.handleBounds?.target ?? []], c = (n ? s?.find((e) => e.id === n) : s?.[0]) ?? null;
	return c && a ? {
		...c,
		...xm(o, c, c.position, !0)
	} : c;
}
function $m(e, t) {
	return e || (t?.classList.contains("target") ? "target" : t?.classList.contains("source") ? "source" : null);
}
function eh(e, t) {
	let n = null;
	return t ? n = !0 : e && !t && (n = !1), n;
}
var th = () => !0;
function nh(e, { connectionMode: t, connectionRadius: n, handleId: r, nodeId: i, edgeUpdaterType: a, isTarget: o, domNode: s, nodeLookup: c, lib: l, autoPanOnConnect: u, flowId: d, panBy: f, cancelConnection: p, onConnectStart: m, onConnect: h, onConnectEnd: g, isValidConnection: _ = th, onReconnectEnd: v, updateConnection: y, getTransform: b, getFromHandle: x, autoPanSpeed: S, dragThreshold: C = 1, handleDomNode: w }) {
	let ee = Yp(e.target), te = 0, ne, { x: re, y: ie } = $p(e), ae = $m(a, w), oe = s?.getBoundingClientRect(), se = !1;
	if (!oe || !ae) return;
	let ce = Qm(i, ae, r, c, t);
	if (!ce) return;
	let le = $p(e, oe), ue = !1, de = null, fe = !1, pe = null;
	function me() {
		if (!u || !oe) return;
		let [e, t] = yp(le, oe, S);
		f({
			x: e,
			y: t
		}), te = requestAnimationFrame(me);
	}
	let he = {
		...ce,
		nodeId: i,
		type: ae,
		position: ce.position
	}, ge = c.get(i), _e = {
		inProgress: !0,
		isValid: null,
		from: xm(ge, he, q.Left, !0),
		fromHandle: he,
		fromPosition: he.position,
		fromNode: ge,
		to: le,
		toHandle: null,
		toPosition: np[he.position],
		toNode: null,
		pointer: le
	};
	function ve() {
		se = !0, y(_e), m?.(e, {
			nodeId: i,
			handleId: r,
			handleType: ae
		});
	}
	C === 0 && ve();
	function ye(e) {
		if (!se) {
			let { x: t, y: n } = $p(e), r = t - re, i = n - ie;
			if (!(r * r + i * i > C * C)) return;
			ve();
		}
		if (!x() || !he) {
			be(e);
			return;
		}
		let a = b();
		le = $p(e, oe), ne = Zm(Mp(le, a, !1, [1, 1]), n, c, he), ue ||= (me(), !0);
		let s = rh(e, {
			handle: ne,
			connectionMode: t,
			fromNodeId: i,
			fromHandleId: r,
			fromType: o ? "target" : "source",
			isValidConnection: _,
			doc: ee,
			lib: l,
			flowId: d,
			nodeLookup: c
		});
		pe = s.handleDomNode, de = s.connection, fe = eh(!!ne, s.isValid);
		let u = c.get(i), f = u ? xm(u, he, q.Left, !0) : _e.from, p = {
			..._e,
			from: f,
			isValid: fe,
			to: s.toHandle && fe ? Np({
				x: s.toHandle.x,
				y: s.toHandle.y
			}, a) : le,
			toHandle: s.toHandle,
			toPosition: fe && s.toHandle ? s.toHandle.position : np[he.position],
			toNode: s.toHandle ? c.get(s.toHandle.nodeId) : null,
			pointer: le
		};
		y(p), _e = p;
	}
	function be(e) {
		if (!("touches" in e && e.touches.length > 0)) {
			if (se) {
				(ne || pe) && de && fe && h?.(de);
				let { inProgress: t, ...n } = _e, r = {
					...n,
					toPosition: _e.toHandle ? _e.toPosition : null
				};
				g?.(e, r), a && v?.(e, r);
			}
			p(), cancelAnimationFrame(te), ue = !1, fe = !1, de = null, pe = null, ee.removeEventListener("mousemove", ye), ee.removeEventListener("mouseup", be), ee.removeEventListener("touchmove", ye), ee.removeEventListener("touchend", be);
		}
	}
	ee.addEventListener("mousemove", ye), ee.addEventListener("mouseup", be), ee.addEventListener("touchmove", ye), ee.addEventListener("touchend", be);
}
function rh(e, { handle: t, connectionMode: n, fromNodeId: r, fromHandleId: i, fromType: a, doc: o, lib: s, flowId: c, isValidConnection: l = th, nodeLookup: u }) {
	let d = a === "target", f = t ? o.querySelector(`.${s}-flow__handle[data-id="${c}-${t?.nodeId}-${t?.id}-${t?.type}"]`) : null, { x: p, y: m } = $p(e), h = o.elementFromPoint(p, m), g = h?.classList.contains(`${s}-flow__handle`) ? h : f, _ = {
		handleDomNode: g,
		isValid: !1,
		connection: null,
		toHandle: null
	};
	if (g) {
		let e = $m(void 0, g), t = g.getAttribute("data-nodeid"), a = g.getAttribute("data-handleid"), o = g.classList.contains("connectable"), s = g.classList.contains("connectableend");
		if (!t || !e) return _;
		let c = {
			source: d ? t : r,
			sourceHandle: d ? a : i,
			target: d ? r : t,
			targetHandle: d ? i : a
		};
		_.connection = c, _.isValid = o && s && (n === Xf.Strict ? d && e === "source" || !d && e === "target" : t !== r || a !== i) && l(c), _.toHandle = Qm(t, e, a, u, n, !0);
	}
	return _;
}
var ih = {
	onPointerDown: nh,
	isValid: rh
}, ah = (e) => ({
	x: e.x,
	y: e.y,
	zoom: e.k
}), oh = ({ x: e, y: t, zoom: n }) => Ff.translate(e, t).scale(n), sh = (e, t) => e.target.closest(`.${t}`), ch = (e, t) => t === 2 && Array.isArray(e) && e.includes(2), lh = (e) => ((e *= 2) <= 1 ? e * e * e : (e -= 2) * e * e + 2) / 2, uh = (e, t = 0, n = lh, r = () => {}) => {
	let i = typeof t == "number" && t > 0;
	return i || r(), i ? e.transition().duration(t).ease(n).on("end", r) : e;
}, dh = (e) => {
	let t = e.ctrlKey && Rp() ? 10 : 1;
	return -e.deltaY * (e.deltaMode === 1 ? .05 : e.deltaMode ? 1 : .002) * t;
};
function fh({ zoomPanValues: e, noWheelClassName: t, d3Selection: n, d3Zoom: r, panOnScrollMode: i, panOnScrollSpeed: a, zoomOnPinch: o, onPanZoomStart: s, onPanZoom: c, onPanZoomEnd: l }) {
	return (u) => {
		if (sh(u, t)) return u.ctrlKey && u.preventDefault(), !1;
		u.preventDefault(), u.stopImmediatePropagation();
		let d = n.property("__zoom").k || 1;
		if (u.ctrlKey && o) {
			let e = xc(u), t = d * 2 ** dh(u);
			r.scaleTo(n, t, e, u);
			return;
		}
		let f = u.deltaMode === 1 ? 20 : 1, p = i === Zf.Vertical ? 0 : u.deltaX * f, m = i === Zf.Horizontal ? 0 : u.deltaY * f;
		!Rp() && u.shiftKey && i !== Zf.Vertical && (p = u.deltaY * f, m = 0), r.translateBy(n, -(p / d) * a, -(m / d) * a, { internal: !0 });
		let h = ah(n.property("__zoom"));
		clearTimeout(e.panScrollTimeout), e.isPanScrolling ? c?.(u, h) : (e.isPanScrolling = !0, s?.(u, h)), e.panScrollTimeout = setTimeout(() => {
			l?.(u, h), e.isPanScrolling = !1;
		}, 150);
	};
}
function ph({ noWheelClassName: e, preventScrolling: t, d3ZoomHandler: n }) {
	return function(r, i) {
		let a = r.type === "wheel", o = !t && a && !r.ctrlKey, s = sh(r, e);
		if (r.ctrlKey && a && s && r.preventDefault(), o || s) return null;
		r.preventDefault(), n.call(this, r, i);
	};
}
function mh({ zoomPanValues: e, onDraggingChange: t, onPanZoomStart: n }) {
	return (r) => {
		if (r.sourceEvent?.internal) return;
		let i = ah(r.transform);
		e.mouseButton = r.sourceEvent?.button || 0, e.isZoomingOrPanning = !0, e.prevViewport = i, r.sourceEvent?.type === "mousedown" && t(!0), n && n?.(r.sourceEvent, i);
	};
}
function hh({ zoomPanValues: e, panOnDrag: t, onPaneContextMenu: n, onTransformChange: r, onPanZoom: i }) {
	return (a) => {
		e.usedRightMouseButton = !!(n && ch(t, e.mouseButton ?? 0)), a.sourceEvent?.sync || r([
			a.transform.x,
			a.transform.y,
			a.transform.k
		]), i && !a.sourceEvent?.internal && i?.(a.sourceEvent, ah(a.transform));
	};
}
function gh({ zoomPanValues: e, panOnDrag: t, panOnScroll: n, onDraggingChange: r, onPanZoomEnd: i, onPaneContextMenu: a }) {
	return (o) => {
		if (!o.sourceEvent?.internal && (e.isZoomingOrPanning = !1, a && ch(t, e.mouseButton ?? 0) && !e.usedRightMouseButton && o.sourceEvent && a(o.sourceEvent), e.usedRightMouseButton = !1, r(!1), i)) {
			let t = ah(o.transform);
			e.prevViewport = t, clearTimeout(e.timerId), e.timerId = setTimeout(() => {
				i?.(o.sourceEvent, t);
			}, n ? 150 : 0);
		}
	};
}
function _h({ panActivationKeyPressed: e, zoomActivationKeyPressed: t, zoomOnScroll: n, zoomOnPinch: r, panOnDrag: i, panOnScroll: a, zoomOnDoubleClick: o, userSelectionActive: s, noWheelClassName: c, noPanClassName: l, lib: u, connectionInProgress: d }) {
	return (f) => {
		let p = t || n, m = r && f.ctrlKey, h = f.type === "wheel";
		if (f.button === 1 && f.type === "mousedown" && (sh(f, `${u}-flow__node`) || sh(f, `${u}-flow__edge`) || sh(f, `${u}-flow__selection`) || sh(f, `${u}-flow__nodesselection`))) return !0;
		if (!i && !p && !a && !o && !r || s || d && !h || sh(f, c) && h || sh(f, l) && (!h || a && h && !t) || !r && f.ctrlKey && h) return !1;
		if (!r && f.type === "touchstart" && f.touches?.length > 1) return f.preventDefault(), !1;
		if (!p && !a && !m && h || !i && (f.type === "mousedown" || f.type === "touchstart") || Array.isArray(i) && !i.includes(f.button) && f.type === "mousedown") return !1;
		let g = Array.isArray(i) && i.includes(f.button) || !f.button || f.button <= 1;
		return (!f.ctrlKey || h || e) && g;
	};
}
function vh({ domNode: e, minZoom: t, maxZoom: n, translateExtent: r, viewport: i, onPanZoom: a, onPanZoomStart: o, onPanZoomEnd: s, onDraggingChange: c }) {
	let l = {
		isZoomingOrPanning: !1,
		usedRightMouseButton: !1,
		prevViewport: {},
		mouseButton: 0,
		timerId: void 0,
		panScrollTimeout: void 0,
		isPanScrolling: !1
	}, u = e.getBoundingClientRect(), d = [[0, 0], [u.width, u.height]];
	(typeof ResizeObserver < "u" ? new ResizeObserver((e) => {
		let t = e[0];
		t && (d = [[0, 0], [t.contentRect.width, t.contentRect.height]]);
	}) : null)?.observe(e);
	let f = Gf().extent(() => d).scaleExtent([t, n]).translateExtent(r), p = gc(e).call(f);
	y({
		x: i.x,
		y: i.y,
		zoom: hp(i.zoom, t, n)
	}, [[0, 0], [u.width, u.height]], r);
	let m = p.on("wheel.zoom"), h = p.on("dblclick.zoom");
	f.wheelDelta(dh);
	async function g(e, t) {
		return p ? new Promise((n) => {
			f?.interpolate(t?.interpolate === "linear" ? gu : Au).transform(uh(p, t?.duration, t?.ease, () => n(!0)), e);
		}) : !1;
	}
	function _({ noWheelClassName: e, noPanClassName: t, onPaneContextMenu: n, userSelectionActive: r, panOnScroll: i, panOnDrag: u, panOnScrollMode: d, panOnScrollSpeed: g, preventScrolling: _, zoomOnPinch: y, zoomOnScroll: b, zoomOnDoubleClick: x, panActivationKeyPressed: S = !1, zoomActivationKeyPressed: C, lib: w, onTransformChange: ee, connectionInProgress: te, paneClickDistance: ne, selectionOnDrag: re }) {
		r && !l.isZoomingOrPanning && v();
		let ie = i && !C && !r;
		f.clickDistance(re ? Infinity : !kp(ne) || ne < 0 ? 0 : ne);
		let ae = ie ? fh({
			zoomPanValues: l,
			noWheelClassName: e,
			d3Selection: p,
			d3Zoom: f,
			panOnScrollMode: d,
			panOnScrollSpeed: g,
			zoomOnPinch: y,
			onPanZoomStart: o,
			onPanZoom: a,
			onPanZoomEnd: s
		}) : ph({
			noWheelClassName: e,
			preventScrolling: _,
			d3ZoomHandler: m
		});
		p.on("wheel.zoom", ae, { passive: !1 });
		let oe = mh({
			zoomPanValues: l,
			onDraggingChange: c,
			onPanZoomStart: o
		});
		f.on("start", oe);
		let se = hh({
			zoomPanValues: l,
			panOnDrag: u,
			onPaneContextMenu: !!n,
			onPanZoom: a,
			onTransformChange: ee
		});
		f.on("zoom", se);
		let ce = gh({
			zoomPanValues: l,
			panOnDrag: u,
			panOnScroll: i,
			onPaneContextMenu: n,
			onPanZoomEnd: s,
			onDraggingChange: c
		});
		f.on("end", ce);
		let le = _h({
			panActivationKeyPressed: S,
			zoomActivationKeyPressed: C,
			panOnDrag: u,
			zoomOnScroll: b,
			panOnScroll: i,
			zoomOnDoubleClick: x,
			zoomOnPinch: y,
			userSelectionActive: r,
			noPanClassName: t,
			noWheelClassName: e,
			lib: w,
			connectionInProgress: te
		});
		f.filter(le), x ? p.on("dblclick.zoom", h) : p.on("dblclick.zoom", null);
	}
	function v() {
		f.on("zoom", null);
	}
	async function y(e, t, n) {
		let r = oh(e), i = f?.constrain()(r, t, n);
		return i && await g(i), i;
	}
	async function b(e, t) {
		let n = oh(e);
		return await g(n, t), n;
	}
	function x(e) {
		if (p) {
			let t = oh(e), n = p.property("__zoom");
			(n.k !== e.zoom || n.x !== e.x || n.y !== e.y) && f?.transform(p, t, null, { sync: !0 });
		}
	}
	function S() {
		let e = p ? If(p.node()) : {
			x: 0,
			y: 0,
			k: 1
		};
		return {
			x: e.x,
			y: e.y,
			zoom: e.k
		};
	}
	async function C(e, t) {
		return p ? new Promise((n) => {
			f?.interpolate(t?.interpolate === "linear" ? gu : Au).scaleTo(uh(p, t?.duration, t?.ease, () => n(!0)), e);
		}) : !1;
	}
	async function w(e, t) {
		return p ? new Promise((n) => {
			f?.interpolate(t?.interpolate === "linear" ? gu : Au).scaleBy(uh(p, t?.duration, t?.ease, () => n(!0)), e);
		}) : !1;
	}
	function ee(e) {
		f?.scaleExtent(e);
	}
	function te(e) {
		f?.translateExtent(e);
	}
	function ne(e) {
		let t = !kp(e) || e < 0 ? 0 : e;
		f?.clickDistance(t);
	}
	return {
		update: _,
		destroy: v,
		setViewport: b,
		setViewportConstrained: y,
		getViewport: S,
		scaleTo: C,
		scaleBy: w,
		setScaleExtent: ee,
		setTranslateExtent: te,
		syncViewport: x,
		setClickDistance: ne
	};
}
var yh;
(function(e) {
	e.Line = "line", e.Handle = "handle";
})(yh ||= {});
// node_modules/@xyflow/svelte/dist/lib/utils/edges.js
var bh = Ap("Svelte Flow", "https://svelteflow.dev/");
function xh(e, t, n = {}) {
	return um(e, t, {
		...n,
		onError: n.onError ?? bh
	});
}
// node_modules/@xyflow/svelte/dist/lib/store/context.js
function Sh() {
	let e = {};
	return [(t) => {
		if (t && !st(e)) throw Error(t);
		return at(e);
	}, (t) => ot(e, t)];
}
var [Ch, wh] = Sh(), [Th, Eh] = Sh(), [Dh, Oh] = Sh(), kh = /* @__PURE__ */ new Set([
	"$$slots",
	"$$events",
	"$$legacy",
	"id",
	"type",
	"position",
	"style",
	"class",
	"isConnectable",
	"isConnectableStart",
	"isConnectableEnd",
	"isValidConnection",
	"onconnect",
	"ondisconnect",
	"children"
]), Ah = /* @__PURE__ */ B("<div><!></div>");
function jh(e, t) {
	D(t, !0);
	let n = G(t, "id", 3, null), r = G(t, "type", 3, "source"), i = G(t, "position", 19, () => q.Top), a = G(t, "isConnectableStart", 3, !0), o = G(t, "isConnectableEnd", 3, !0), s = /* @__PURE__ */ Fa(t, kh), c = Ch("Handle must be used within a Custom Node component"), l = Th("Handle must be used within a Custom Node component"), u = /* @__PURE__ */ k(() => r() === "target"), d = /* @__PURE__ */ k(() => t.isConnectable === void 0 ? l.value : t.isConnectable), p = gg(), m = /* @__PURE__ */ k(() => p.ariaLabelConfig), h = null;
	In(() => {
		if (t.onconnect || t.ondisconnect) {
			p.edges;
			let e = p.connectionLookup.get(`${c}-${r()}${n() ? `-${n()}` : ""}`);
			if (h && !Wp(e, h)) {
				let n = e ?? /* @__PURE__ */ new Map();
				Gp(h, n, t.ondisconnect), Gp(n, h, t.onconnect);
			}
			h = new Map(e);
		}
	});
	let g = /* @__PURE__ */ k(() => {
		if (!p.connection.inProgress) return [
			!1,
			!1,
			!1,
			!1,
			null
		];
		let { fromHandle: e, toHandle: t, isValid: i } = p.connection, a = e && e.nodeId === c && e.type === r() && e.id === n(), o = t && t.nodeId === c && t.type === r() && t.id === n();
		return [
			!0,
			a,
			o,
			p.connectionMode === Xf.Strict ? e?.type !== r() : c !== e?.nodeId || n() !== e?.id,
			o && i
		];
	}), _ = /* @__PURE__ */ k(() => v(R(g), 5)), y = /* @__PURE__ */ k(() => R(_)[0]), b = /* @__PURE__ */ k(() => R(_)[1]), x = /* @__PURE__ */ k(() => R(_)[2]), S = /* @__PURE__ */ k(() => R(_)[3]), C = /* @__PURE__ */ k(() => R(_)[4]);
	function w(e) {
		let t = p.onbeforeconnect ? p.onbeforeconnect(e) : e;
		t && (p.addEdge(t), p.onconnect?.(e));
	}
	function ee(e) {
		let r = Qp(e);
		e.currentTarget && (r && e.button === 0 || !r) && ih.onPointerDown(e, {
			handleId: n(),
			nodeId: c,
			isTarget: R(u),
			connectionRadius: p.connectionRadius,
			domNode: p.domNode,
			nodeLookup: p.nodeLookup,
			connectionMode: p.connectionMode,
			lib: "svelte",
			autoPanOnConnect: p.autoPanOnConnect,
			autoPanSpeed: p.autoPanSpeed,
			flowId: p.flowId,
			isValidConnection: t.isValidConnection || ((...e) => p.isValidConnection?.(...e) ?? !0),
			updateConnection: p.updateConnection,
			cancelConnection: p.cancelConnection,
			panBy: p.panBy,
			onConnect: w,
			onConnectStart: p.onconnectstart,
			onConnectEnd: (...e) => p.onconnectend?.(...e),
			getTransform: () => [
				p.viewport.x,
				p.viewport.y,
				p.viewport.zoom
			],
			getFromHandle: () => p.connection.fromHandle,
			dragThreshold: p.connectionDragThreshold,
			handleDomNode: e.currentTarget
		});
	}
	function te(e) {
		if (!c || !p.clickConnectStartHandle && !a()) return;
		if (!p.clickConnectStartHandle) {
			p.onclickconnectstart?.(e, {
				nodeId: c,
				handleId: n(),
				handleType: r()
			}), p.clickConnectStartHandle = {
				nodeId: c,
				type: r(),
				id: n()
			};
			return;
		}
		let i = Yp(e.target), o = t.isValidConnection ?? p.isValidConnection, { connectionMode: s, clickConnectStartHandle: l, flowId: u, nodeLookup: d } = p, { connection: f, isValid: m } = ih.isValid(e, {
			handle: {
				nodeId: c,
				id: n(),
				type: r()
			},
			connectionMode: s,
			fromNodeId: l.nodeId,
			fromHandleId: l.id ?? null,
			fromType: l.type,
			isValidConnection: o,
			flowId: u,
			doc: i,
			lib: "svelte",
			nodeLookup: d
		});
		m && f && w(f);
		let h = structuredClone($e(p.connection));
		delete h.inProgress, h.toPosition = h.toHandle ? h.toHandle.position : null, p.onclickconnectend?.(e, h), p.clickConnectStartHandle = null;
	}
	var ne = Ah(), re = () => {};
	ha(ne, () => ({
		"data-handleid": n(),
		"data-nodeid": c,
		"data-handlepos": i(),
		"data-id": `${p.flowId ?? ""}-${c ?? ""}-${n() ?? "null" ?? ""}-${r() ?? ""}`,
		class: [
			"svelte-flow__handle",
			`svelte-flow__handle-${i()}`,
			p.noDragClass,
			p.noPanClass,
			i(),
			t.class
		],
		onmousedown: ee,
		ontouchstart: ee,
		onclick: p.clickConnect ? te : void 0,
		onkeypress: re,
		style: t.style,
		role: "button",
		"aria-label": R(m)["handle.ariaLabel"],
		tabindex: "-1",
		...s,
		[na]: {
			valid: R(C),
			connectingto: R(x),
			connectingfrom: R(b),
			source: !R(u),
			target: R(u),
			connectablestart: a(),
			connectableend: o(),
			connectable: R(d),
			connectionindicator: R(d) && (!R(y) || R(S)) && (R(y) || p.clickConnectStartHandle ? o() : a())
		}
	})), Mi(N(ne), () => t.children ?? f), E(ne), V(e, ne), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/nodes/DefaultNode.svelte
var Mh = /* @__PURE__ */ B("<!> <!>", 1);
function Nh(e, t) {
	D(t, !0);
	let n = G(t, "targetPosition", 19, () => q.Top), r = G(t, "sourcePosition", 19, () => q.Bottom);
	var i = Mh(), a = P(i);
	jh(a, {
		type: "target",
		get position() {
			return n();
		}
	});
	var o = I(a);
	jh(I(o), {
		type: "source",
		get position() {
			return r();
		}
	}), L(() => H(o, ` ${t.data?.label ?? ""} `)), V(e, i), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/nodes/InputNode.svelte
var Ph = /* @__PURE__ */ B(" <!>", 1);
function Fh(e, t) {
	D(t, !0);
	let n = G(t, "data", 19, () => ({ label: "Node" })), r = G(t, "sourcePosition", 19, () => q.Bottom);
	Me();
	var i = Ph(), a = P(i);
	jh(I(a), {
		type: "source",
		get position() {
			return r();
		}
	}), L(() => H(a, `${n()?.label ?? ""} `)), V(e, i), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/nodes/OutputNode.svelte
var Ih = /* @__PURE__ */ B(" <!>", 1);
function Lh(e, t) {
	D(t, !0);
	let n = G(t, "data", 19, () => ({ label: "Node" })), r = G(t, "targetPosition", 19, () => q.Top);
	Me();
	var i = Ih(), a = P(i);
	jh(I(a), {
		type: "target",
		get position() {
			return r();
		}
	}), L(() => H(a, `${n()?.label ?? ""} `)), V(e, i), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/nodes/GroupNode.svelte
function Rh(e, t) {}
// node_modules/@xyflow/svelte/dist/lib/actions/portal/portal.svelte.js
function zh(e, t, n) {
	if (!n || !t) return;
	let r = n === "root" ? t : t.querySelector(`.svelte-flow__${n}`);
	r && r.appendChild(e);
}
function Bh(e, t) {
	let n = /* @__PURE__ */ k(gg), r = /* @__PURE__ */ k(() => R(n).domNode), i;
	return R(r) ? zh(e, R(r), t) : i = Ln(() => {
		Pn(() => {
			zh(e, R(r), t), i?.();
		});
	}), {
		async update(t) {
			zh(e, R(r), t);
		},
		destroy() {
			e.parentNode && e.parentNode.removeChild(e), i?.();
		}
	};
}
// node_modules/@xyflow/svelte/dist/lib/actions/portal/utils.svelte.js
function Vh() {
	let e = /* @__PURE__ */ j(typeof window > "u");
	if (R(e)) {
		let t = Ln(() => {
			Pn(() => {
				M(e, !1), t?.();
			});
		});
	}
	return { get value() {
		return R(e);
	} };
}
// node_modules/@xyflow/svelte/dist/lib/utils/index.js
var Hh = (e) => ip(e), Uh = (e) => rp(e);
function Wh(e) {
	return e === void 0 ? void 0 : `${e}px`;
}
var Gh = {
	ArrowUp: {
		x: 0,
		y: -1
	},
	ArrowDown: {
		x: 0,
		y: 1
	},
	ArrowLeft: {
		x: -1,
		y: 0
	},
	ArrowRight: {
		x: 1,
		y: 0
	}
}, Kh = /* @__PURE__ */ new Set([
	"$$slots",
	"$$events",
	"$$legacy",
	"x",
	"y",
	"width",
	"height",
	"selectEdgeOnClick",
	"transparent",
	"class",
	"children"
]), qh = /* @__PURE__ */ B("<div><!></div>"), Jh = {
	hash: "svelte-1wg91mu",
	code: ".transparent.svelte-1wg91mu {background:transparent;}"
};
function Yh(e, t) {
	D(t, !0), Pi(e, Jh);
	let n = G(t, "x", 3, 0), r = G(t, "y", 3, 0), i = G(t, "selectEdgeOnClick", 3, !1), a = G(t, "transparent", 3, !1), o = /* @__PURE__ */ Fa(t, Kh), s = gg(), c = Dh("EdgeLabel must be used within a Custom Edge component"), l = /* @__PURE__ */ k(() => s.visible.edges.get(c)?.zIndex);
	var u = qh(), d = () => {
		i() && c && s.handleEdgeSelection(c);
	};
	ha(u, (e, s, c) => ({
		class: [
			"svelte-flow__edge-label",
			{ transparent: a() },
			t.class
		],
		tabindex: "-1",
		onclick: d,
		...o,
		[ra]: {
			display: e,
			cursor: i() ? "pointer" : void 0,
			transform: `translate(-50%, -50%) translate(${n() ?? ""}px,${r() ?? ""}px)`,
			"pointer-events": "all",
			width: s,
			height: c,
			"z-index": R(l)
		}
	}), [
		() => Vh().value ? "none" : void 0,
		() => Wh(t.width),
		() => Wh(t.height)
	], void 0, void 0, "svelte-1wg91mu"), Mi(N(u), () => t.children ?? f), E(u), Fi(u, (e, t) => Bh?.(e, t), () => "edge-labels"), V(e, u), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/edges/BaseEdge.svelte
var Xh = /* @__PURE__ */ new Set([
	"$$slots",
	"$$events",
	"$$legacy",
	"id",
	"path",
	"label",
	"labelX",
	"labelY",
	"labelStyle",
	"markerStart",
	"markerEnd",
	"style",
	"interactionWidth",
	"class"
]), Zh = /* @__PURE__ */ ri("<path></path>"), Qh = /* @__PURE__ */ ri("<path fill=\"none\"></path><!><!>", 1);
function $h(e, t) {
	let n = G(t, "interactionWidth", 3, 20), r = /* @__PURE__ */ Fa(t, Xh);
	var i = Qh(), a = P(i), o = I(a), s = (e) => {
		var i = Zh();
		ha(i, () => ({
			d: t.path,
			"stroke-opacity": 0,
			"stroke-width": n(),
			fill: "none",
			class: "svelte-flow__edge-interaction",
			...r
		})), V(e, i);
	};
	U(o, (e) => {
		n() > 0 && e(s);
	});
	var c = I(o), l = (e) => {
		Yh(e, {
			get x() {
				return t.labelX;
			},
			get y() {
				return t.labelY;
			},
			get style() {
				return t.labelStyle;
			},
			selectEdgeOnClick: !0,
			children: (e, n) => {
				Me();
				var r = ii();
				L(() => H(r, t.label)), V(e, r);
			},
			$$slots: { default: !0 }
		});
	};
	U(c, (e) => {
		t.label && e(l);
	}), L(() => {
		W(a, "id", t.id), W(a, "d", t.path), Gi(a, 0, zi(["svelte-flow__edge-path", t.class])), W(a, "marker-start", t.markerStart), W(a, "marker-end", t.markerEnd), qi(a, t.style);
	}), V(e, i);
}
// node_modules/@xyflow/svelte/dist/lib/components/edges/BezierEdge.svelte
function eg(e, t) {
	D(t, !0);
	let n = /* @__PURE__ */ k(() => im({
		sourceX: t.sourceX,
		sourceY: t.sourceY,
		targetX: t.targetX,
		targetY: t.targetY,
		sourcePosition: t.sourcePosition,
		targetPosition: t.targetPosition,
		curvature: t.pathOptions?.curvature
	})), r = /* @__PURE__ */ k(() => v(R(n), 3)), i = /* @__PURE__ */ k(() => R(r)[0]), a = /* @__PURE__ */ k(() => R(r)[1]), o = /* @__PURE__ */ k(() => R(r)[2]);
	$h(e, {
		get id() {
			return t.id;
		},
		get path() {
			return R(i);
		},
		get labelX() {
			return R(a);
		},
		get labelY() {
			return R(o);
		},
		get label() {
			return t.label;
		},
		get labelStyle() {
			return t.labelStyle;
		},
		get markerStart() {
			return t.markerStart;
		},
		get markerEnd() {
			return t.markerEnd;
		},
		get interactionWidth() {
			return t.interactionWidth;
		},
		get style() {
			return t.style;
		}
	}), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/edges/SmoothStepEdgeInternal.svelte
function tg(e, t) {
	D(t, !0);
	let n = /* @__PURE__ */ k(() => _m({
		sourceX: t.sourceX,
		sourceY: t.sourceY,
		targetX: t.targetX,
		targetY: t.targetY,
		sourcePosition: t.sourcePosition,
		targetPosition: t.targetPosition
	})), r = /* @__PURE__ */ k(() => v(R(n), 3)), i = /* @__PURE__ */ k(() => R(r)[0]), a = /* @__PURE__ */ k(() => R(r)[1]), o = /* @__PURE__ */ k(() => R(r)[2]);
	$h(e, {
		get path() {
			return R(i);
		},
		get labelX() {
			return R(a);
		},
		get labelY() {
			return R(o);
		},
		get label() {
			return t.label;
		},
		get labelStyle() {
			return t.labelStyle;
		},
		get markerStart() {
			return t.markerStart;
		},
		get markerEnd() {
			return t.markerEnd;
		},
		get interactionWidth() {
			return t.interactionWidth;
		},
		get style() {
			return t.style;
		}
	}), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/edges/StraightEdgeInternal.svelte
function ng(e, t) {
	D(t, !0);
	let n = /* @__PURE__ */ k(() => dm({
		sourceX: t.sourceX,
		sourceY: t.sourceY,
		targetX: t.targetX,
		targetY: t.targetY
	})), r = /* @__PURE__ */ k(() => v(R(n), 3)), i = /* @__PURE__ */ k(() => R(r)[0]), a = /* @__PURE__ */ k(() => R(r)[1]), o = /* @__PURE__ */ k(() => R(r)[2]);
	$h(e, {
		get path() {
			return R(i);
		},
		get labelX() {
			return R(a);
		},
		get labelY() {
			return R(o);
		},
		get label() {
			return t.label;
		},
		get labelStyle() {
			return t.labelStyle;
		},
		get markerStart() {
			return t.markerStart;
		},
		get markerEnd() {
			return t.markerEnd;
		},
		get interactionWidth() {
			return t.interactionWidth;
		},
		get style() {
			return t.style;
		}
	}), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/edges/StepEdgeInternal.svelte
function rg(e, t) {
	D(t, !0);
	let n = /* @__PURE__ */ k(() => _m({
		sourceX: t.sourceX,
		sourceY: t.sourceY,
		targetX: t.targetX,
		targetY: t.targetY,
		sourcePosition: t.sourcePosition,
		targetPosition: t.targetPosition,
		borderRadius: 0
	})), r = /* @__PURE__ */ k(() => v(R(n), 3)), i = /* @__PURE__ */ k(() => R(r)[0]), a = /* @__PURE__ */ k(() => R(r)[1]), o = /* @__PURE__ */ k(() => R(r)[2]);
	$h(e, {
		get path() {
			return R(i);
		},
		get labelX() {
			return R(a);
		},
		get labelY() {
			return R(o);
		},
		get label() {
			return t.label;
		},
		get labelStyle() {
			return t.labelStyle;
		},
		get markerStart() {
			return t.markerStart;
		},
		get markerEnd() {
			return t.markerEnd;
		},
		get interactionWidth() {
			return t.interactionWidth;
		},
		get style() {
			return t.style;
		}
	}), O();
}
// node_modules/svelte/src/reactivity/reactive-value.js
var ig = class {
	#e;
	#t;
	constructor(e, t) {
		this.#e = e, this.#t = oi(t);
	}
	get current() {
		return this.#t(), this.#e();
	}
}, ag = /\(.+\)/, og = /* @__PURE__ */ new Set([
	"all",
	"print",
	"screen",
	"and",
	"or",
	"not",
	"only"
]), sg = class extends ig {
	constructor(e, t) {
		let n = ag.test(e) || e.split(/[\s,]+/).some((e) => og.has(e.trim())) ? e : `(${e})`, r = window.matchMedia(n);
		super(() => r.matches, (e) => Kr(r, "change", e));
	}
};
// node_modules/@xyflow/svelte/dist/lib/store/visibleElements.js
function cg(e, t, n, r) {
	let i = /* @__PURE__ */ new Map();
	return lp(e, {
		x: 0,
		y: 0,
		width: n,
		height: r
	}, t, !0).forEach((e) => {
		i.set(e.id, e);
	}), i;
}
function lg(e) {
	let { edges: t, defaultEdgeOptions: n, nodeLookup: r, previousEdges: i, connectionMode: a, onerror: o, onlyRenderVisible: s, elevateEdgesOnSelect: c, zIndexMode: l } = e, u = /* @__PURE__ */ new Map();
	for (let d of t) {
		let t = r.get(d.source), f = r.get(d.target);
		if (!t || !f || t.hidden || f.hidden) continue;
		if (s) {
			let { visibleNodes: n, transform: r, width: i, height: a } = e;
			if (sm({
				sourceNode: t,
				targetNode: f,
				width: i,
				height: a,
				transform: r
			})) n.set(t.id, t), n.set(f.id, f);
			else continue;
		}
		let p = i.get(d.id);
		if (p && d === p.edge && t == p.sourceNode && f == p.targetNode) {
			u.set(d.id, p);
			continue;
		}
		let m = ym({
			id: d.id,
			sourceNode: t,
			targetNode: f,
			sourceHandle: d.sourceHandle || null,
			targetHandle: d.targetHandle || null,
			connectionMode: a,
			onError: o
		});
		m && u.set(d.id, {
			...n,
			...d,
			...m,
			zIndex: om({
				selected: d.selected,
				zIndex: d.zIndex ?? n.zIndex,
				sourceNode: t,
				targetNode: f,
				elevateOnSelect: c,
				zIndexMode: l
			}),
			sourceNode: t,
			targetNode: f,
			edge: d
		});
	}
	return u;
}
// node_modules/@xyflow/svelte/dist/lib/store/initial-store.svelte.js
var ug = Ap("Svelte Flow", "https://svelteflow.dev/"), dg = {
	input: Fh,
	output: Lh,
	default: Nh,
	group: Rh
}, fg = {
	straight: ng,
	smoothstep: tg,
	default: eg,
	step: rg
};
function pg(e, t, n, r, i, a) {
	return t && !n && r && i ? Lp(cp(a, { filter: (e) => !(!e.width && !e.initialWidth || !e.height && !e.initialHeight) }), r, i, .5, 2, .1) : n ?? {
		x: 0,
		y: 0,
		zoom: 1
	};
}
function mg(e) {
	class t {
		#e = /* @__PURE__ */ k(() => e.props.id ?? "1");
		get flowId() {
			return R(this.#e);
		}
		set flowId(e) {
			M(this.#e, e);
		}
		#t = /* @__PURE__ */ j(null);
		get domNode() {
			return R(this.#t);
		}
		set domNode(e) {
			M(this.#t, e);
		}
		#n = /* @__PURE__ */ j(null);
		get panZoom() {
			return R(this.#n);
		}
		set panZoom(e) {
			M(this.#n, e);
		}
		#r = /* @__PURE__ */ j(e.width ?? 0);
		get width() {
			return R(this.#r);
		}
		set width(e) {
			M(this.#r, e);
		}
		#i = /* @__PURE__ */ j(e.height ?? 0);
		get height() {
			return R(this.#i);
		}
		set height(e) {
			M(this.#i, e);
		}
		#a = /* @__PURE__ */ j(e.props.zIndexMode ?? "basic");
		get zIndexMode() {
			return R(this.#a);
		}
		set zIndexMode(e) {
			M(this.#a, e);
		}
		#o = /* @__PURE__ */ k(() => {
			let { nodesInitialized: t } = Nm(e.nodes, this.nodeLookup, this.parentLookup, {
				nodeExtent: this.nodeExtent,
				nodeOrigin: this.nodeOrigin,
				elevateNodesOnSelect: e.props.elevateNodesOnSelect ?? !0,
				checkEquality: !0,
				zIndexMode: this.zIndexMode
			});
			return this.fitViewQueued && t && (this.fitViewOptions?.duration ? this.resolveFitView() : queueMicrotask(() => {
				this.resolveFitView();
			})), t;
		});
		get nodesInitialized() {
			return R(this.#o);
		}
		set nodesInitialized(e) {
			M(this.#o, e);
		}
		#s = /* @__PURE__ */ k(() => this.panZoom !== null);
		get viewportInitialized() {
			return R(this.#s);
		}
		set viewportInitialized(e) {
			M(this.#s, e);
		}
		#c = /* @__PURE__ */ k(() => (Hm(this.connectionLookup, this.edgeLookup, e.edges), e.edges));
		get _edges() {
			return R(this.#c);
		}
		set _edges(e) {
			M(this.#c, e);
		}
		get nodes() {
			return this.nodesInitialized, e.nodes;
		}
		set nodes(t) {
			e.nodes = t;
		}
		get edges() {
			return this._edges;
		}
		set edges(t) {
			e.edges = t;
		}
		_prevSelectedNodes = [];
		_prevSelectedNodeIds = /* @__PURE__ */ new Set();
		#l = /* @__PURE__ */ k(() => {
			let e = this._prevSelectedNodeIds.size, t = /* @__PURE__ */ new Set(), n = this.nodes.filter((e) => (e.selected && (t.add(e.id), this._prevSelectedNodeIds.delete(e.id)), e.selected));
			return (e !== t.size || this._prevSelectedNodeIds.size > 0) && (this._prevSelectedNodes = n), this._prevSelectedNodeIds = t, this._prevSelectedNodes;
		});
		get selectedNodes() {
			return R(this.#l);
		}
		set selectedNodes(e) {
			M(this.#l, e);
		}
		_prevSelectedEdges = [];
		_prevSelectedEdgeIds = /* @__PURE__ */ new Set();
		#u = /* @__PURE__ */ k(() => {
			let e = this._prevSelectedEdgeIds.size, t = /* @__PURE__ */ new Set(), n = this.edges.filter((e) => (e.selected && (t.add(e.id), this._prevSelectedEdgeIds.delete(e.id)), e.selected));
			return (e !== t.size || this._prevSelectedEdgeIds.size > 0) && (this._prevSelectedEdges = n), this._prevSelectedEdgeIds = t, this._prevSelectedEdges;
		});
		get selectedEdges() {
			return R(this.#u);
		}
		set selectedEdges(e) {
			M(this.#u, e);
		}
		selectionChangeHandlers = /* @__PURE__ */ new Map();
		nodeLookup = /* @__PURE__ */ new Map();
		parentLookup = /* @__PURE__ */ new Map();
		connectionLookup = /* @__PURE__ */ new Map();
		edgeLookup = /* @__PURE__ */ new Map();
		_prevVisibleEdges = /* @__PURE__ */ new Map();
		#d = /* @__PURE__ */ k(() => {
			let { nodes: t, _edges: n, _prevVisibleEdges: r, nodeLookup: i, connectionMode: a, onerror: o, onlyRenderVisibleElements: s, defaultEdgeOptions: c, zIndexMode: l } = this, u, d, f = {
				edges: n,
				defaultEdgeOptions: c,
				previousEdges: r,
				nodeLookup: i,
				connectionMode: a,
				elevateEdgesOnSelect: e.props.elevateEdgesOnSelect ?? !0,
				zIndexMode: l,
				onerror: o
			};
			if (s) {
				let { viewport: e, width: t, height: n } = this, r = [
					e.x,
					e.y,
					e.zoom
				];
				u = cg(i, r, t, n), d = lg({
					...f,
					onlyRenderVisible: !0,
					visibleNodes: u,
					transform: r,
					width: t,
					height: n
				});
			} else u = this.nodeLookup, d = lg(f);
			return this._prevVisibleEdges = d, {
				nodes: u,
				edges: d
			};
		});
		get visible() {
			return R(this.#d);
		}
		set visible(e) {
			M(this.#d, e);
		}
		#f = /* @__PURE__ */ k(() => e.props.nodesDraggable ?? !0);
		get nodesDraggable() {
			return R(this.#f);
		}
		set nodesDraggable(e) {
			M(this.#f, e);
		}
		#p = /* @__PURE__ */ k(() => e.props.nodesConnectable ?? !0);
		get nodesConnectable() {
			return R(this.#p);
		}
		set nodesConnectable(e) {
			M(this.#p, e);
		}
		#m = /* @__PURE__ */ k(() => e.props.elementsSelectable ?? !0);
		get elementsSelectable() {
			return R(this.#m);
		}
		set elementsSelectable(e) {
			M(this.#m, e);
		}
		#h = /* @__PURE__ */ k(() => e.props.nodesFocusable ?? !0);
		get nodesFocusable() {
			return R(this.#h);
		}
		set nodesFocusable(e) {
			M(this.#h, e);
		}
		#g = /* @__PURE__ */ k(() => e.props.edgesFocusable ?? !0);
		get edgesFocusable() {
			return R(this.#g);
		}
		set edgesFocusable(e) {
			M(this.#g, e);
		}
		#_ = /* @__PURE__ */ k(() => e.props.disableKeyboardA11y ?? !1);
		get disableKeyboardA11y() {
			return R(this.#_);
		}
		set disableKeyboardA11y(e) {
			M(this.#_, e);
		}
		#v = /* @__PURE__ */ k(() => e.props.minZoom ?? .5);
		get minZoom() {
			return R(this.#v);
		}
		set minZoom(e) {
			M(this.#v, e);
		}
		#y = /* @__PURE__ */ k(() => e.props.maxZoom ?? 2);
		get maxZoom() {
			return R(this.#y);
		}
		set maxZoom(e) {
			M(this.#y, e);
		}
		#b = /* @__PURE__ */ k(() => e.props.nodeOrigin ?? [0, 0]);
		get nodeOrigin() {
			return R(this.#b);
		}
		set nodeOrigin(e) {
			M(this.#b, e);
		}
		#x = /* @__PURE__ */ k(() => e.props.nodeExtent ?? qf);
		get nodeExtent() {
			return R(this.#x);
		}
		set nodeExtent(e) {
			M(this.#x, e);
		}
		#S = /* @__PURE__ */ k(() => e.props.translateExtent ?? qf);
		get translateExtent() {
			return R(this.#S);
		}
		set translateExtent(e) {
			M(this.#S, e);
		}
		#C = /* @__PURE__ */ k(() => e.props.defaultEdgeOptions ?? {});
		get defaultEdgeOptions() {
			return R(this.#C);
		}
		set defaultEdgeOptions(e) {
			M(this.#C, e);
		}
		#w = /* @__PURE__ */ k(() => e.props.nodeDragThreshold ?? 1);
		get nodeDragThreshold() {
			return R(this.#w);
		}
		set nodeDragThreshold(e) {
			M(this.#w, e);
		}
		#T = /* @__PURE__ */ k(() => e.props.autoPanOnNodeDrag ?? !0);
		get autoPanOnNodeDrag() {
			return R(this.#T);
		}
		set autoPanOnNodeDrag(e) {
			M(this.#T, e);
		}
		#E = /* @__PURE__ */ k(() => e.props.autoPanOnConnect ?? !0);
		get autoPanOnConnect() {
			return R(this.#E);
		}
		set autoPanOnConnect(e) {
			M(this.#E, e);
		}
		#D = /* @__PURE__ */ k(() => e.props.autoPanOnNodeFocus ?? !0);
		get autoPanOnNodeFocus() {
			return R(this.#D);
		}
		set autoPanOnNodeFocus(e) {
			M(this.#D, e);
		}
		#O = /* @__PURE__ */ k(() => e.props.autoPanSpeed ?? 15);
		get autoPanSpeed() {
			return R(this.#O);
		}
		set autoPanSpeed(e) {
			M(this.#O, e);
		}
		#k = /* @__PURE__ */ k(() => e.props.connectionDragThreshold ?? 1);
		get connectionDragThreshold() {
			return R(this.#k);
		}
		set connectionDragThreshold(e) {
			M(this.#k, e);
		}
		fitViewQueued = e.props.fitView ?? !1;
		fitViewOptions = e.props.fitViewOptions;
		fitViewResolver = null;
		#A = /* @__PURE__ */ k(() => e.props.snapGrid ?? null);
		get snapGrid() {
			return R(this.#A);
		}
		set snapGrid(e) {
			M(this.#A, e);
		}
		#j = /* @__PURE__ */ j(!1);
		get dragging() {
			return R(this.#j);
		}
		set dragging(e) {
			M(this.#j, e);
		}
		#M = /* @__PURE__ */ j(null);
		get selectionRect() {
			return R(this.#M);
		}
		set selectionRect(e) {
			M(this.#M, e);
		}
		#N = /* @__PURE__ */ j(!1);
		get selectionKeyPressed() {
			return R(this.#N);
		}
		set selectionKeyPressed(e) {
			M(this.#N, e);
		}
		#P = /* @__PURE__ */ j(!1);
		get multiselectionKeyPressed() {
			return R(this.#P);
		}
		set multiselectionKeyPressed(e) {
			M(this.#P, e);
		}
		#F = /* @__PURE__ */ j(!1);
		get deleteKeyPressed() {
			return R(this.#F);
		}
		set deleteKeyPressed(e) {
			M(this.#F, e);
		}
		#I = /* @__PURE__ */ j(!1);
		get panActivationKeyPressed() {
			return R(this.#I);
		}
		set panActivationKeyPressed(e) {
			M(this.#I, e);
		}
		#L = /* @__PURE__ */ j(!1);
		get zoomActivationKeyPressed() {
			return R(this.#L);
		}
		set zoomActivationKeyPressed(e) {
			M(this.#L, e);
		}
		#R = /* @__PURE__ */ j(null);
		get selectionRectMode() {
			return R(this.#R);
		}
		set selectionRectMode(e) {
			M(this.#R, e);
		}
		#z = /* @__PURE__ */ j("");
		get ariaLiveMessage() {
			return R(this.#z);
		}
		set ariaLiveMessage(e) {
			M(this.#z, e);
		}
		#B = /* @__PURE__ */ k(() => e.props.selectionMode ?? Qf.Partial);
		get selectionMode() {
			return R(this.#B);
		}
		set selectionMode(e) {
			M(this.#B, e);
		}
		#V = /* @__PURE__ */ k(() => ({
			...dg,
			...e.props.nodeTypes
		}));
		get nodeTypes() {
			return R(this.#V);
		}
		set nodeTypes(e) {
			M(this.#V, e);
		}
		#H = /* @__PURE__ */ k(() => ({
			...fg,
			...e.props.edgeTypes
		}));
		get edgeTypes() {
			return R(this.#H);
		}
		set edgeTypes(e) {
			M(this.#H, e);
		}
		#U = /* @__PURE__ */ k(() => e.props.noPanClass ?? "nopan");
		get noPanClass() {
			return R(this.#U);
		}
		set noPanClass(e) {
			M(this.#U, e);
		}
		#W = /* @__PURE__ */ k(() => e.props.noDragClass ?? "nodrag");
		get noDragClass() {
			return R(this.#W);
		}
		set noDragClass(e) {
			M(this.#W, e);
		}
		#G = /* @__PURE__ */ k(() => e.props.noWheelClass ?? "nowheel");
		get noWheelClass() {
			return R(this.#G);
		}
		set noWheelClass(e) {
			M(this.#G, e);
		}
		#K = /* @__PURE__ */ k(() => Up(e.props.ariaLabelConfig));
		get ariaLabelConfig() {
			return R(this.#K);
		}
		set ariaLabelConfig(e) {
			M(this.#K, e);
		}
		#q = /* @__PURE__ */ j(pg(this.nodesInitialized, e.props.fitView, e.props.initialViewport, this.width, this.height, this.nodeLookup));
		get _viewport() {
			return R(this.#q);
		}
		set _viewport(e) {
			M(this.#q, e);
		}
		get viewport() {
			return e.viewport ?? this._viewport;
		}
		set viewport(t) {
			e.viewport &&= t, this._viewport = t;
		}
		#J = /* @__PURE__ */ j($f);
		get _connection() {
			return R(this.#J);
		}
		set _connection(e) {
			M(this.#J, e);
		}
		#Y = /* @__PURE__ */ k(() => this._connection.inProgress ? {
			...this._connection,
			to: Mp(this._connection.to, [
				this.viewport.x,
				this.viewport.y,
				this.viewport.zoom
			])
		} : this._connection);
		get connection() {
			return R(this.#Y);
		}
		set connection(e) {
			M(this.#Y, e);
		}
		#X = /* @__PURE__ */ k(() => e.props.connectionMode ?? Xf.Strict);
		get connectionMode() {
			return R(this.#X);
		}
		set connectionMode(e) {
			M(this.#X, e);
		}
		#Z = /* @__PURE__ */ k(() => e.props.connectionRadius ?? 20);
		get connectionRadius() {
			return R(this.#Z);
		}
		set connectionRadius(e) {
			M(this.#Z, e);
		}
		#Q = /* @__PURE__ */ k(() => e.props.isValidConnection ?? (() => !0));
		get isValidConnection() {
			return R(this.#Q);
		}
		set isValidConnection(e) {
			M(this.#Q, e);
		}
		#$ = /* @__PURE__ */ k(() => e.props.selectNodesOnDrag ?? !0);
		get selectNodesOnDrag() {
			return R(this.#$);
		}
		set selectNodesOnDrag(e) {
			M(this.#$, e);
		}
		#ee = /* @__PURE__ */ k(() => e.props.defaultMarkerColor === void 0 ? "#b1b1b7" : e.props.defaultMarkerColor);
		get defaultMarkerColor() {
			return R(this.#ee);
		}
		set defaultMarkerColor(e) {
			M(this.#ee, e);
		}
		#te = /* @__PURE__ */ k(() => wm(e.edges, {
			defaultColor: this.defaultMarkerColor,
			id: this.flowId,
			defaultMarkerStart: this.defaultEdgeOptions.markerStart,
			defaultMarkerEnd: this.defaultEdgeOptions.markerEnd
		}));
		get markers() {
			return R(this.#te);
		}
		set markers(e) {
			M(this.#te, e);
		}
		#ne = /* @__PURE__ */ k(() => e.props.onlyRenderVisibleElements ?? !1);
		get onlyRenderVisibleElements() {
			return R(this.#ne);
		}
		set onlyRenderVisibleElements(e) {
			M(this.#ne, e);
		}
		#re = /* @__PURE__ */ k(() => e.props.onflowerror ?? ug);
		get onerror() {
			return R(this.#re);
		}
		set onerror(e) {
			M(this.#re, e);
		}
		#ie = /* @__PURE__ */ k(() => e.props.ondelete);
		get ondelete() {
			return R(this.#ie);
		}
		set ondelete(e) {
			M(this.#ie, e);
		}
		#ae = /* @__PURE__ */ k(() => e.props.onbeforedelete);
		get onbeforedelete() {
			return R(this.#ae);
		}
		set onbeforedelete(e) {
			M(this.#ae, e);
		}
		#oe = /* @__PURE__ */ k(() => e.props.onbeforeconnect);
		get onbeforeconnect() {
			return R(this.#oe);
		}
		set onbeforeconnect(e) {
			M(this.#oe, e);
		}
		#se = /* @__PURE__ */ k(() => e.props.onconnect);
		get onconnect() {
			return R(this.#se);
		}
		set onconnect(e) {
			M(this.#se, e);
		}
		#ce = /* @__PURE__ */ k(() => e.props.onconnectstart);
		get onconnectstart() {
			return R(this.#ce);
		}
		set onconnectstart(e) {
			M(this.#ce, e);
		}
		#le = /* @__PURE__ */ k(() => e.props.onconnectend);
		get onconnectend() {
			return R(this.#le);
		}
		set onconnectend(e) {
			M(this.#le, e);
		}
		#ue = /* @__PURE__ */ k(() => e.props.onbeforereconnect);
		get onbeforereconnect() {
			return R(this.#ue);
		}
		set onbeforereconnect(e) {
			M(this.#ue, e);
		}
		#de = /* @__PURE__ */ k(() => e.props.onreconnect);
		get onreconnect() {
			return R(this.#de);
		}
		set onreconnect(e) {
			M(this.#de, e);
		}
		#fe = /* @__PURE__ */ k(() => e.props.onreconnectstart);
		get onreconnectstart() {
			return R(this.#fe);
		}
		set onreconnectstart(e) {
			M(this.#fe, e);
		}
		#pe = /* @__PURE__ */ k(() => e.props.onreconnectend);
		get onreconnectend() {
			return R(this.#pe);
		}
		set onreconnectend(e) {
			M(this.#pe, e);
		}
		#me = /* @__PURE__ */ k(() => e.props.clickConnect ?? !0);
		get clickConnect() {
			return R(this.#me);
		}
		set clickConnect(e) {
			M(this.#me, e);
		}
		#he = /* @__PURE__ */ k(() => e.props.onclickconnectstart);
		get onclickconnectstart() {
			return R(this.#he);
		}
		set onclickconnectstart(e) {
			M(this.#he, e);
		}
		#ge = /* @__PURE__ */ k(() => e.props.onclickconnectend);
		get onclickconnectend() {
			return R(this.#ge);
		}
		set onclickconnectend(e) {
			M(this.#ge, e);
		}
		#_e = /* @__PURE__ */ j(null);
		get clickConnectStartHandle() {
			return R(this.#_e);
		}
		set clickConnectStartHandle(e) {
			M(this.#_e, e);
		}
		#ve = /* @__PURE__ */ k(() => e.props.onselectiondrag);
		get onselectiondrag() {
			return R(this.#ve);
		}
		set onselectiondrag(e) {
			M(this.#ve, e);
		}
		#ye = /* @__PURE__ */ k(() => e.props.onselectiondragstart);
		get onselectiondragstart() {
			return R(this.#ye);
		}
		set onselectiondragstart(e) {
			M(this.#ye, e);
		}
		#be = /* @__PURE__ */ k(() => e.props.onselectiondragstop);
		get onselectiondragstop() {
			return R(this.#be);
		}
		set onselectiondragstop(e) {
			M(this.#be, e);
		}
		resolveFitView = async () => {
			this.panZoom && (await fp({
				nodes: this.nodeLookup,
				width: this.width,
				height: this.height,
				panZoom: this.panZoom,
				minZoom: this.minZoom,
				maxZoom: this.maxZoom
			}, this.fitViewOptions), this.fitViewResolver?.resolve(!0), this.fitViewQueued = !1, this.fitViewOptions = void 0, this.fitViewResolver = null);
		};
		_prefersDark = new sg("(prefers-color-scheme: dark)", e.props.colorModeSSR === "dark");
		#xe = /* @__PURE__ */ k(() => e.props.colorMode === "system" ? this._prefersDark.current ? "dark" : "light" : e.props.colorMode ?? "light");
		get colorMode() {
			return R(this.#xe);
		}
		set colorMode(e) {
			M(this.#xe, e);
		}
		constructor() {}
		resetStoreValues() {
			this.dragging = !1, this.selectionRect = null, this.selectionRectMode = null, this.selectionKeyPressed = !1, this.multiselectionKeyPressed = !1, this.deleteKeyPressed = !1, this.panActivationKeyPressed = !1, this.zoomActivationKeyPressed = !1, this._connection = $f, this.clickConnectStartHandle = null, this.viewport = e.props.initialViewport ?? {
				x: 0,
				y: 0,
				zoom: 1
			}, this.ariaLiveMessage = "";
		}
	}
	return new t();
}
// node_modules/@xyflow/svelte/dist/lib/hooks/useStore.js
var hg = Kf.error001("svelte");
function gg() {
	let e = at(_g);
	if (!e) throw Error(hg);
	return e.getStore();
}
// node_modules/@xyflow/svelte/dist/lib/store/index.js
var _g = Symbol();
function vg(e) {
	let t = mg(e);
	function n(e) {
		t.nodeTypes = {
			...dg,
			...e
		};
	}
	function r(e) {
		t.edgeTypes = {
			...fg,
			...e
		};
	}
	function i(e) {
		t.edges = xh(e, t.edges, { onError: t.onerror });
	}
	let a = (e, n = !1) => {
		t.nodes = t.nodes.map((r) => {
			if (t.connection.inProgress && t.connection.fromNode.id === r.id) {
				let e = t.nodeLookup.get(r.id);
				e && (t.connection = {
					...t.connection,
					from: xm(e, t.connection.fromHandle, q.Left, !0)
				});
			}
			let i = e.get(r.id);
			return i ? {
				...r,
				position: i.position,
				dragging: n
			} : r;
		});
	};
	function o(e) {
		let { changes: n, updatedInternals: r } = zm(e, t.nodeLookup, t.parentLookup, t.domNode, t.nodeOrigin, t.nodeExtent, t.zIndexMode);
		if (!r) return;
		Am(t.nodeLookup, t.parentLookup, {
			nodeOrigin: t.nodeOrigin,
			nodeExtent: t.nodeExtent,
			zIndexMode: t.zIndexMode
		}), t.fitViewQueued && t.resolveFitView();
		let i = /* @__PURE__ */ new Map();
		for (let e of n) {
			let n = t.nodeLookup.get(e.id)?.internals.userNode;
			if (!n) continue;
			let r = { ...n };
			switch (e.type) {
				case "dimensions": {
					let t = {
						...r.measured,
						...e.dimensions
					};
					e.setAttributes && (r.width = e.dimensions?.width ?? r.width, r.height = e.dimensions?.height ?? r.height), r.measured = t;
					break;
				}
				case "position": r.position = e.position ?? r.position;
			}
			i.set(e.id, r);
		}
		t.nodes = t.nodes.map((e) => i.get(e.id) ?? e);
	}
	function s(e) {
		let n = t.fitViewResolver ?? Promise.withResolvers();
		return t.fitViewQueued = !0, t.fitViewOptions = e, t.fitViewResolver = n, t.nodes = [...t.nodes], n.promise;
	}
	async function c(e, n, r) {
		let i = r?.zoom === void 0 ? t.maxZoom : r.zoom, a = t.panZoom;
		return a ? (await a.setViewport({
			x: t.width / 2 - e * i,
			y: t.height / 2 - n * i,
			zoom: i
		}, {
			duration: r?.duration,
			ease: r?.ease,
			interpolate: r?.interpolate
		}), !0) : !1;
	}
	async function l(e, n) {
		let r = t.panZoom;
		return r ? r.scaleBy(e, n) : !1;
	}
	async function u(e) {
		return l(1.2, e);
	}
	function d(e) {
		return l(1 / 1.2, e);
	}
	function f(e) {
		let n = t.panZoom;
		n && (n.setScaleExtent([e, t.maxZoom]), t.minZoom = e);
	}
	function p(e) {
		let n = t.panZoom;
		n && (n.setScaleExtent([t.minZoom, e]), t.maxZoom = e);
	}
	function m(e) {
		let n = t.panZoom;
		n && (n.setTranslateExtent(e), t.translateExtent = e);
	}
	function h(e, t = null) {
		let n = !1, r = e.map((e) => (!t || t.has(e.id)) && e.selected ? (n = !0, {
			...e,
			selected: !1
		}) : e);
		return [n, r];
	}
	function g(e) {
		let n = e?.nodes ? new Set(e.nodes.map((e) => e.id)) : null, [r, i] = h(t.nodes, n);
		r && (t.nodes = i);
		let a = e?.edges ? new Set(e.edges.map((e) => e.id)) : null, [o, s] = h(t.edges, a);
		o && (t.edges = s);
	}
	function _(e) {
		let n = t.multiselectionKeyPressed;
		t.nodes = t.nodes.map((t) => {
			let r = e.includes(t.id), i = n && t.selected || r;
			return !!t.selected === i ? t : {
				...t,
				selected: i
			};
		}), n || g({ nodes: [] });
	}
	function v(e) {
		let n = t.multiselectionKeyPressed;
		t.edges = t.edges.map((t) => {
			let r = e.includes(t.id), i = n && t.selected || r;
			return !!t.selected === i ? t : {
				...t,
				selected: i
			};
		}), n || g({ edges: [] });
	}
	function y(e, n, r) {
		let i = t.nodeLookup.get(e);
		i ? (t.selectionRect = null, t.selectionRectMode = null, i.selected ? (n || i.selected && t.multiselectionKeyPressed) && (g({
			nodes: [i.internals.userNode],
			edges: []
		}), requestAnimationFrame(() => r?.blur())) : _([e])) : t.onerror("012", Kf.error012(e));
	}
	function b(e) {
		let n = t.edgeLookup.get(e);
		n ? (n.selectable || t.elementsSelectable && n.selectable === void 0) && (t.selectionRect = null, t.selectionRectMode = null, n.selected ? n.selected && t.multiselectionKeyPressed && g({
			nodes: [],
			edges: [n]
		}) : v([e])) : t.onerror("016", Kf.error016(e));
	}
	function x(e, n) {
		let { nodeExtent: r, snapGrid: i, nodeOrigin: o, nodeLookup: s, nodesDraggable: c, onerror: l } = t, u = /* @__PURE__ */ new Map(), d = i?.[0] ?? 5, f = i?.[1] ?? 5, p = e.x * d * n, m = e.y * f * n;
		for (let e of s.values()) {
			if (!(e.selected && (e.draggable || c && e.draggable === void 0))) continue;
			let t = {
				x: e.internals.positionAbsolute.x + p,
				y: e.internals.positionAbsolute.y + m
			};
			i && (t = jp(t, i));
			let { position: n, positionAbsolute: a } = pp({
				nodeId: e.id,
				nextPosition: t,
				nodeLookup: s,
				nodeExtent: r,
				nodeOrigin: o,
				onError: l
			});
			e.position = n, e.internals.positionAbsolute = a, u.set(e.id, e);
		}
		a(u);
	}
	function S(e) {
		return Bm({
			delta: e,
			panZoom: t.panZoom,
			transform: [
				t.viewport.x,
				t.viewport.y,
				t.viewport.zoom
			],
			translateExtent: t.translateExtent,
			width: t.width,
			height: t.height
		});
	}
	let C = (e) => {
		t._connection = { ...e };
	};
	function w() {
		t._connection = $f;
	}
	function ee() {
		t.resetStoreValues(), g();
	}
	return Object.assign(t, {
		setNodeTypes: n,
		setEdgeTypes: r,
		addEdge: i,
		updateNodePositions: a,
		updateNodeInternals: o,
		zoomIn: u,
		zoomOut: d,
		fitView: s,
		setCenter: c,
		setMinZoom: f,
		setMaxZoom: p,
		setTranslateExtent: m,
		unselectNodesAndEdges: g,
		addSelectedNodes: _,
		addSelectedEdges: v,
		handleNodeSelection: y,
		handleEdgeSelection: b,
		moveSelectedNodes: x,
		panBy: S,
		updateConnection: C,
		cancelConnection: w,
		reset: ee
	});
}
// node_modules/@xyflow/svelte/dist/lib/actions/zoom/index.js
function yg(e, t) {
	let { minZoom: n, maxZoom: r, initialViewport: i, onPanZoomStart: a, onPanZoom: o, onPanZoomEnd: s, translateExtent: c, setPanZoomInstance: l, onDraggingChange: u, onTransformChange: d } = t, f = vh({
		domNode: e,
		minZoom: n,
		maxZoom: r,
		translateExtent: c,
		viewport: i,
		onPanZoom: o,
		onPanZoomStart: a,
		onPanZoomEnd: s,
		onDraggingChange: u
	}), p = f.getViewport();
	return (i.x !== p.x || i.y !== p.y || i.zoom !== p.zoom) && d([
		p.x,
		p.y,
		p.zoom
	]), l(f), f.update(t), { update(e) {
		f.update(e);
	} };
}
// node_modules/@xyflow/svelte/dist/lib/container/Zoom/Zoom.svelte
var bg = /* @__PURE__ */ B("<div class=\"svelte-flow__zoom svelte-flow__container\"><!></div>");
function xg(e, t) {
	D(t, !0);
	let n = G(t, "store", 15), r = /* @__PURE__ */ k(() => n().panActivationKeyPressed || t.panOnDrag), i = /* @__PURE__ */ k(() => n().panActivationKeyPressed || t.panOnScroll), { viewport: a } = n(), o = !1;
	Pn(() => {
		!o && n().viewportInitialized && (t.oninit?.(), o = !0);
	});
	var s = bg();
	Mi(N(s), () => t.children), E(s), Fi(s, (e, t) => yg?.(e, t), () => ({
		viewport: n().viewport,
		minZoom: n().minZoom,
		maxZoom: n().maxZoom,
		initialViewport: a,
		onDraggingChange: (e) => {
			n(n().dragging = e, !0);
		},
		setPanZoomInstance: (e) => {
			n(n().panZoom = e, !0);
		},
		onPanZoomStart: t.onmovestart,
		onPanZoom: t.onmove,
		onPanZoomEnd: t.onmoveend,
		zoomOnScroll: t.zoomOnScroll,
		zoomOnDoubleClick: t.zoomOnDoubleClick,
		zoomOnPinch: t.zoomOnPinch,
		panOnScroll: R(i),
		panOnDrag: R(r),
		panOnScrollSpeed: t.panOnScrollSpeed,
		panOnScrollMode: t.panOnScrollMode,
		panActivationKeyPressed: n().panActivationKeyPressed,
		zoomActivationKeyPressed: n().zoomActivationKeyPressed,
		preventScrolling: typeof t.preventScrolling != "boolean" || t.preventScrolling,
		noPanClassName: n().noPanClass,
		noWheelClassName: n().noWheelClass,
		userSelectionActive: !!n().selectionRect,
		translateExtent: n().translateExtent,
		lib: "svelte",
		paneClickDistance: t.paneClickDistance,
		selectionOnDrag: t.selectionOnDrag,
		onTransformChange: (e) => {
			n(n().viewport = {
				x: e[0],
				y: e[1],
				zoom: e[2]
			}, !0);
		},
		connectionInProgress: n().connection.inProgress
	})), V(e, s), O();
}
// node_modules/@xyflow/svelte/dist/lib/container/Pane/Pane.svelte
function Sg(e, t) {
	return (n) => {
		n.target === t && e?.(n);
	};
}
function Cg(e) {
	return (t) => {
		let n = e.has(t.id);
		return !!t.selected === n ? t : {
			...t,
			selected: n
		};
	};
}
function wg(e, t) {
	if (e.size !== t.size) return !1;
	for (let n of e) if (!t.has(n)) return !1;
	return !0;
}
var Tg = /* @__PURE__ */ B("<div><!></div>");
function Eg(e, t) {
	D(t, !0);
	let n = G(t, "store", 15), r = G(t, "panOnDrag", 3, !0), i = G(t, "paneClickDistance", 3, 1), a = G(t, "autoPanOnSelection", 3, !0), o, s = null, c = !1, l = /* @__PURE__ */ new Set(), u = /* @__PURE__ */ new Set(), d = /* @__PURE__ */ k(() => n().panActivationKeyPressed || r()), f = /* @__PURE__ */ k(() => n().selectionKeyPressed || !!n().selectionRect || t.selectionOnDrag && R(d) !== !0), p = /* @__PURE__ */ k(() => n().elementsSelectable && (R(f) || n().selectionRectMode === "user")), m = !1, h = 0, g = {
		x: 0,
		y: 0
	}, _ = !1;
	function v(e) {
		if (e.pointerType === "touch" && R(d) !== !1 && !n().selectionKeyPressed || (s = o?.getBoundingClientRect(), !s)) return;
		let r = e.target === o, i = !r && !!e.target.closest(".nokey"), a = t.selectionOnDrag && r || n().selectionKeyPressed;
		if (i || !R(f) || !a || e.button !== 0 || !e.isPrimary) return;
		e.target?.setPointerCapture?.(e.pointerId), m = !1, _ = !1;
		let { x: c, y: l } = $p(e, s), u = Mp({
			x: c,
			y: l
		}, [
			n().viewport.x,
			n().viewport.y,
			n().viewport.zoom
		]);
		n(n().selectionRect = {
			width: 0,
			height: 0,
			startX: u.x,
			startY: u.y,
			x: c,
			y: l
		}, !0), r || (e.stopPropagation(), e.preventDefault());
	}
	function y(e, t) {
		if (n().selectionRect?.startX === void 0 || n().selectionRect.startY === void 0) return;
		let r = {
			x: n().selectionRect?.startX,
			y: n().selectionRect?.startY
		}, i = Np(r, [
			n().viewport.x,
			n().viewport.y,
			n().viewport.zoom
		]), a = {
			startX: r.x,
			startY: r.y,
			x: e < i.x ? e : i.x,
			y: t < i.y ? t : i.y,
			width: Math.abs(e - i.x),
			height: Math.abs(t - i.y)
		}, o = l, s = u;
		l = new Set(lp(n().nodeLookup, a, [
			n().viewport.x,
			n().viewport.y,
			n().viewport.zoom
		], n().selectionMode === Qf.Partial, !0).map((e) => e.id));
		let c = n().defaultEdgeOptions.selectable ?? !0;
		u = /* @__PURE__ */ new Set();
		for (let e of l) {
			let t = n().connectionLookup.get(e);
			if (t) for (let { edgeId: e } of t.values()) {
				let t = n().edgeLookup.get(e);
				t && (t.selectable ?? c) && u.add(e);
			}
		}
		wg(o, l) || n(n().nodes = n().nodes.map(Cg(l)), !0), wg(s, u) || n(n().edges = n().edges.map(Cg(u)), !0), n(n().selectionRectMode = "user", !0), n(n().selectionRect = a, !0);
	}
	function b() {
		if (!a() || !s) return;
		let [e, t] = yp(g, s, n().autoPanSpeed);
		n().panBy({
			x: e,
			y: t
		}).then((e) => {
			!m || !e || y(g.x, g.y), h = requestAnimationFrame(b);
		});
	}
	function x() {
		cancelAnimationFrame(h), h = 0, _ = !1;
	}
	za(() => {
		typeof window < "u" && x();
	});
	function S(e) {
		if (!R(f) || !s || !n().selectionRect) return;
		let r = $p(e, s);
		g = {
			x: r.x,
			y: r.y
		};
		let a = Np({
			x: n().selectionRect.startX,
			y: n().selectionRect.startY
		}, [
			n().viewport.x,
			n().viewport.y,
			n().viewport.zoom
		]);
		if (!m) {
			let o = n().selectionKeyPressed ? 0 : i();
			if (Math.hypot(r.x - a.x, r.y - a.y) <= o) return;
			n().unselectNodesAndEdges(), t.onselectionstart?.(e);
		}
		m = !0, _ ||= (b(), !0), y(r.x, r.y);
	}
	function C(e) {
		R(p) ? e.button === 0 && (e.target?.releasePointerCapture?.(e.pointerId), !m && e.target === o && ne?.(e), n(n().selectionRect = null, !0), m && n(n().selectionRectMode = l.size > 0 ? "nodes" : null, !0), m && t.onselectionend?.(e), x()) : e.target === o && n().connection.inProgress && (c = !0);
	}
	function w(e) {
		e.target?.releasePointerCapture?.(e.pointerId), x();
	}
	let ee = (e) => {
		Array.isArray(R(d)) && R(d).includes(2) ? e.preventDefault() : t.onpanecontextmenu?.({ event: e });
	}, te = (e) => {
		m &&= (e.stopPropagation(), !1);
	};
	function ne(e) {
		m || n().connection.inProgress || c ? (m = !1, c = !1) : (t.onpaneclick?.({ event: e }), n().unselectNodesAndEdges(), n(n().selectionRectMode = null, !0), n(n().selectionRect = null, !0));
	}
	var re = Tg();
	let ie;
	var ae = /* @__PURE__ */ k(() => R(p) ? void 0 : Sg(ne, o)), oe = /* @__PURE__ */ k(() => Sg(ee, o));
	Mi(N(re), () => t.children), E(re), Oa(re, (e) => o = e, () => o), L((e) => ie = Gi(re, 1, "svelte-flow__pane svelte-flow__container", null, ie, {
		draggable: e,
		dragging: n().dragging,
		selection: R(f)
	}), [() => r() === !0 || Array.isArray(r()) && r().includes(0)]), z("click", re, function(...e) {
		R(ae)?.apply(this, e);
	}), qr("pointerdown", re, function(...e) {
		(R(p) ? v : void 0)?.apply(this, e);
	}, !0), z("pointermove", re, function(...e) {
		(R(p) ? S : void 0)?.apply(this, e);
	}), z("pointerup", re, C), qr("pointercancel", re, function(...e) {
		(R(p) ? w : void 0)?.apply(this, e);
	}), z("contextmenu", re, function(...e) {
		R(oe)?.apply(this, e);
	}), qr("click", re, function(...e) {
		(R(p) ? te : void 0)?.apply(this, e);
	}, !0), V(e, re), O();
}
Jr([
	"click",
	"pointermove",
	"pointerup",
	"contextmenu"
]);
// node_modules/@xyflow/svelte/dist/lib/container/Viewport/Viewport.svelte
var Dg = /* @__PURE__ */ B("<div class=\"svelte-flow__viewport xyflow__viewport svelte-flow__container\"><!></div>");
function Og(e, t) {
	D(t, !0);
	var n = Dg();
	let r;
	Mi(N(n), () => t.children), E(n), L(() => r = qi(n, "", r, { transform: `translate(${t.store.viewport.x ?? ""}px, ${t.store.viewport.y ?? ""}px) scale(${t.store.viewport.zoom ?? ""})` })), V(e, n), O();
}
// node_modules/@xyflow/svelte/dist/lib/actions/drag/index.js
function kg(e, t) {
	let { store: n, onDrag: r, onDragStart: i, onDragStop: a, onNodeMouseDown: o } = t, s = Jm({
		onDrag: r,
		onDragStart: i,
		onDragStop: a,
		onNodeMouseDown: o,
		getStoreItems: () => {
			let { snapGrid: e, viewport: t } = n;
			return {
				nodes: n.nodes,
				nodeLookup: n.nodeLookup,
				edges: n.edges,
				nodeExtent: n.nodeExtent,
				snapGrid: e || [0, 0],
				snapToGrid: !!e,
				nodeOrigin: n.nodeOrigin,
				multiSelectionActive: n.multiselectionKeyPressed,
				domNode: n.domNode,
				transform: [
					t.x,
					t.y,
					t.zoom
				],
				autoPanOnNodeDrag: n.autoPanOnNodeDrag,
				nodesDraggable: n.nodesDraggable,
				selectNodesOnDrag: n.selectNodesOnDrag,
				nodeDragThreshold: n.nodeDragThreshold,
				unselectNodesAndEdges: n.unselectNodesAndEdges,
				updateNodePositions: n.updateNodePositions,
				onSelectionDrag: n.onselectiondrag,
				onSelectionDragStart: n.onselectiondragstart,
				onSelectionDragStop: n.onselectiondragstop,
				panBy: n.panBy
			};
		}
	});
	function c(e, t) {
		t.disabled ? s.destroy() : s.update({
			domNode: e,
			noDragClassName: t.noDragClass,
			handleSelector: t.handleSelector,
			nodeId: t.nodeId,
			isSelectable: t.isSelectable,
			nodeClickDistance: t.nodeClickDistance
		});
	}
	return c(e, t), {
		update(t) {
			c(e, t);
		},
		destroy() {
			s.destroy();
		}
	};
}
// node_modules/@xyflow/svelte/dist/lib/components/A11yDescriptions/A11yDescriptions.svelte
var Ag = /* @__PURE__ */ B("<div aria-live=\"assertive\" aria-atomic=\"true\" class=\"a11y-live-msg svelte-13pq11u\"> </div>"), jg = /* @__PURE__ */ B("<div class=\"a11y-hidden svelte-13pq11u\"> </div> <div class=\"a11y-hidden svelte-13pq11u\"> </div> <!>", 1), Mg = {
	hash: "svelte-13pq11u",
	code: ".a11y-hidden.svelte-13pq11u {display:none;}.a11y-live-msg.svelte-13pq11u {position:absolute;width:1px;height:1px;margin:-1px;border:0;padding:0;overflow:hidden;clip:rect(0px, 0px, 0px, 0px);clip-path:inset(100%);}"
};
function Ng(e, t) {
	D(t, !0), Pi(e, Mg);
	var n = jg(), r = P(n), i = F(r, !0), a = I(r, 2), o = F(a, !0), s = I(a, 2), c = (e) => {
		var n = Ag(), r = F(n, !0);
		L(() => {
			W(n, "id", `${Ig}-${t.store.flowId}`), H(r, t.store.ariaLiveMessage);
		}), V(e, n);
	};
	U(s, (e) => {
		t.store.disableKeyboardA11y || e(c);
	}), L(() => {
		W(r, "id", `${Pg}-${t.store.flowId}`), H(i, t.store.disableKeyboardA11y ? t.store.ariaLabelConfig["node.a11yDescription.default"] : t.store.ariaLabelConfig["node.a11yDescription.keyboardDisabled"]), W(a, "id", `${Fg}-${t.store.flowId}`), H(o, t.store.ariaLabelConfig["edge.a11yDescription.default"]);
	}), V(e, n), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/A11yDescriptions/index.js
var Pg = "svelte-flow__node-desc", Fg = "svelte-flow__edge-desc", Ig = "svelte-flow__aria-live", Lg = /* @__PURE__ */ B("<div><!></div>");
function Rg(e, t) {
	D(t, !0);
	let n = G(t, "store", 15), r = /* @__PURE__ */ k(() => _(t.node.data, () => ({}), !0)), i = /* @__PURE__ */ k(() => _(t.node.selected, !1)), a = /* @__PURE__ */ k(() => t.node.draggable), o = /* @__PURE__ */ k(() => t.node.selectable), s = /* @__PURE__ */ k(() => _(t.node.deletable, !0)), c = /* @__PURE__ */ k(() => t.node.connectable), l = /* @__PURE__ */ k(() => t.node.focusable), u = /* @__PURE__ */ k(() => _(t.node.hidden, !1)), d = /* @__PURE__ */ k(() => _(t.node.dragging, !1)), f = /* @__PURE__ */ k(() => _(t.node.style, "")), p = /* @__PURE__ */ k(() => t.node.class), m = /* @__PURE__ */ k(() => _(t.node.type, "default")), h = /* @__PURE__ */ k(() => t.node.parentId), g = /* @__PURE__ */ k(() => t.node.sourcePosition), v = /* @__PURE__ */ k(() => t.node.targetPosition), y = /* @__PURE__ */ k(() => _(t.node.measured, () => ({
		width: 0,
		height: 0
	}), !0).width), b = /* @__PURE__ */ k(() => _(t.node.measured, () => ({
		width: 0,
		height: 0
	}), !0).height), x = /* @__PURE__ */ k(() => t.node.initialWidth), S = /* @__PURE__ */ k(() => t.node.initialHeight), C = /* @__PURE__ */ k(() => t.node.width), w = /* @__PURE__ */ k(() => t.node.height), ee = /* @__PURE__ */ k(() => t.node.dragHandle), te = /* @__PURE__ */ k(() => _(t.node.internals.z, 0)), ne = /* @__PURE__ */ k(() => t.node.internals.positionAbsolute.x), re = /* @__PURE__ */ k(() => t.node.internals.positionAbsolute.y), ie = /* @__PURE__ */ k(() => t.node.internals.userNode), { id: ae } = t.node, oe = /* @__PURE__ */ k(() => R(a) ?? n().nodesDraggable), se = /* @__PURE__ */ k(() => R(o) ?? n().elementsSelectable), ce = /* @__PURE__ */ k(() => R(c) ?? n().nodesConnectable), le = /* @__PURE__ */ k(() => Vp(t.node)), ue = /* @__PURE__ */ k(() => !!t.node.internals.handleBounds), de = /* @__PURE__ */ k(() => R(le) && R(ue)), fe = /* @__PURE__ */ k(() => R(l) ?? n().nodesFocusable);
	function pe(e) {
		return n().parentLookup.has(e);
	}
	let me = /* @__PURE__ */ k(() => pe(ae)), he = /* @__PURE__ */ j(null), ge = null, _e = R(m), ve = R(g), ye = R(v), be = /* @__PURE__ */ k(() => n().nodeTypes[R(m)] ?? Nh), xe = /* @__PURE__ */ k(() => n().ariaLabelConfig);
	wh(ae), Eh({ get value() {
		return R(ce);
	} });
	let Se = /* @__PURE__ */ k(() => {
		let e = R(y) === void 0 ? R(C) ?? R(x) : R(C), t = R(b) === void 0 ? R(w) ?? R(S) : R(w);
		if (e !== void 0 || t !== void 0 || R(f) !== void 0) return `${R(f)};${e ? `width:${Wh(e)};` : ""}${t ? `height:${Wh(t)};` : ""}`;
	});
	Pn(() => {
		(R(m) !== _e || R(g) !== ve || R(v) !== ye) && R(he) !== null && requestAnimationFrame(() => {
			R(he) !== null && n().updateNodeInternals(/* @__PURE__ */ new Map([[ae, {
				id: ae,
				nodeElement: R(he),
				force: !0
			}]]));
		}), _e = R(m), ve = R(g), ye = R(v);
	}), Pn(() => {
		t.resizeObserver && (!R(de) || R(he) !== ge) && (ge && t.resizeObserver.unobserve(ge), R(he) && t.resizeObserver.observe(R(he)), ge = R(he));
	}), za(() => {
		ge && t.resizeObserver?.unobserve(ge);
	});
	function Ce(e) {
		R(se) && (!n().selectNodesOnDrag || !R(oe) || n().nodeDragThreshold > 0) && n().handleNodeSelection(ae), t.onnodeclick?.({
			node: R(ie),
			event: e
		});
	}
	function we(e) {
		if (!(Zp(e) || n().disableKeyboardA11y)) {
			if (Jf.includes(e.key) && R(se)) {
				let t = e.key === "Escape";
				n().handleNodeSelection(ae, t, R(he));
			} else R(oe) && t.node.selected && Object.prototype.hasOwnProperty.call(Gh, e.key) && (e.preventDefault(), n(n().ariaLiveMessage = R(xe)["node.a11yDescription.ariaLiveMessage"]({
				direction: e.key.replace("Arrow", "").toLowerCase(),
				x: ~~t.node.internals.positionAbsolute.x,
				y: ~~t.node.internals.positionAbsolute.y
			}), !0), n().moveSelectedNodes(Gh[e.key], e.shiftKey ? 4 : 1));
		}
	}
	let Te = () => {
		if (n().disableKeyboardA11y || !n().autoPanOnNodeFocus || !R(he)?.matches(":focus-visible")) return;
		let { width: e, height: r, viewport: i } = n();
		lp(/* @__PURE__ */ new Map([[ae, t.node]]), {
			x: 0,
			y: 0,
			width: e,
			height: r
		}, [
			i.x,
			i.y,
			i.zoom
		], !0).length > 0 || n().setCenter(t.node.position.x + (t.node.measured.width ?? 0) / 2, t.node.position.y + (t.node.measured.height ?? 0) / 2, { zoom: i.zoom });
	};
	var Ee = ai(), De = P(Ee), T = (e) => {
		var a = Lg();
		ha(a, () => ({
			"data-id": ae,
			class: [
				"svelte-flow__node",
				`svelte-flow__node-${R(m)}`,
				R(p)
			],
			style: R(Se),
			onclick: Ce,
			onpointerenter: t.onnodepointerenter ? (e) => t.onnodepointerenter({
				node: R(ie),
				event: e
			}) : void 0,
			onpointerleave: t.onnodepointerleave ? (e) => t.onnodepointerleave({
				node: R(ie),
				event: e
			}) : void 0,
			onpointermove: t.onnodepointermove ? (e) => t.onnodepointermove({
				node: R(ie),
				event: e
			}) : void 0,
			oncontextmenu: t.onnodecontextmenu ? (e) => t.onnodecontextmenu({
				node: R(ie),
				event: e
			}) : void 0,
			onkeydown: R(fe) ? we : void 0,
			onfocus: R(fe) ? Te : void 0,
			tabIndex: R(fe) ? 0 : void 0,
			role: t.node.ariaRole ?? (R(fe) ? "group" : void 0),
			"aria-label": t.node.ariaLabel,
			"aria-roledescription": "node",
			"aria-describedby": n().disableKeyboardA11y ? void 0 : `${Pg}-${n().flowId}`,
			...t.node.domAttributes,
			[na]: {
				dragging: R(d),
				selected: R(i),
				draggable: R(oe),
				connectable: R(ce),
				selectable: R(se),
				nopan: R(oe),
				parent: R(me)
			},
			[ra]: {
				"z-index": R(te),
				transform: `translate(${R(ne) ?? ""}px, ${R(re) ?? ""}px)`,
				visibility: R(le) ? "visible" : "hidden"
			}
		})), Ni(N(a), () => R(be), (e, t) => {
			t(e, {
				get data() {
					return R(r);
				},
				get id() {
					return ae;
				},
				get selected() {
					return R(i);
				},
				get selectable() {
					return R(se);
				},
				get deletable() {
					return R(s);
				},
				get sourcePosition() {
					return R(g);
				},
				get targetPosition() {
					return R(v);
				},
				get zIndex() {
					return R(te);
				},
				get dragging() {
					return R(d);
				},
				get draggable() {
					return R(oe);
				},
				get dragHandle() {
					return R(ee);
				},
				get parentId() {
					return R(h);
				},
				get type() {
					return R(m);
				},
				get isConnectable() {
					return R(ce);
				},
				get positionAbsoluteX() {
					return R(ne);
				},
				get positionAbsoluteY() {
					return R(re);
				},
				get width() {
					return R(C);
				},
				get height() {
					return R(w);
				}
			});
		}), E(a), Fi(a, (e, t) => kg?.(e, t), () => ({
			nodeId: ae,
			isSelectable: R(se),
			disabled: !R(oe),
			handleSelector: R(ee),
			noDragClass: n().noDragClass,
			nodeClickDistance: t.nodeClickDistance,
			onNodeMouseDown: n().handleNodeSelection,
			onDrag: (e, n, r, i) => {
				t.onnodedrag?.({
					event: e,
					targetNode: r,
					nodes: i
				});
			},
			onDragStart: (e, n, r, i) => {
				t.onnodedragstart?.({
					event: e,
					targetNode: r,
					nodes: i
				});
			},
			onDragStop: (e, n, r, i) => {
				t.onnodedragstop?.({
					event: e,
					targetNode: r,
					nodes: i
				});
			},
			store: n()
		})), Oa(a, (e) => M(he, e), () => R(he)), V(e, a);
	};
	U(De, (e) => {
		R(u) || e(T);
	}), V(e, Ee), O();
}
// node_modules/@xyflow/svelte/dist/lib/container/NodeRenderer/NodeRenderer.svelte
var zg = /* @__PURE__ */ B("<div class=\"svelte-flow__nodes\"></div>");
function Bg(e, t) {
	D(t, !0);
	let n = G(t, "store", 15), r = typeof ResizeObserver > "u" ? null : new ResizeObserver((e) => {
		let t = /* @__PURE__ */ new Map();
		e.forEach((e) => {
			let n = e.target.getAttribute("data-id");
			t.set(n, {
				id: n,
				nodeElement: e.target,
				force: !0
			});
		}), n().updateNodeInternals(t);
	});
	za(() => {
		r?.disconnect();
	});
	var i = zg();
	Ei(i, 21, () => n().visible.nodes.values(), (e) => e.id, (e, i) => {
		Rg(e, {
			get node() {
				return R(i);
			},
			get resizeObserver() {
				return r;
			},
			get nodeClickDistance() {
				return t.nodeClickDistance;
			},
			get onnodeclick() {
				return t.onnodeclick;
			},
			get onnodepointerenter() {
				return t.onnodepointerenter;
			},
			get onnodepointermove() {
				return t.onnodepointermove;
			},
			get onnodepointerleave() {
				return t.onnodepointerleave;
			},
			get onnodedrag() {
				return t.onnodedrag;
			},
			get onnodedragstart() {
				return t.onnodedragstart;
			},
			get onnodedragstop() {
				return t.onnodedragstop;
			},
			get onnodecontextmenu() {
				return t.onnodecontextmenu;
			},
			get store() {
				return n();
			},
			set store(e) {
				n(e);
			}
		});
	}), E(i), V(e, i), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/EdgeWrapper/EdgeWrapper.svelte
var Vg = /* @__PURE__ */ ri("<svg class=\"svelte-flow__edge-wrapper\"><g><!></g></svg>");
function Hg(e, t) {
	D(t, !0);
	let n = /* @__PURE__ */ k(() => t.edge.id), r = /* @__PURE__ */ k(() => t.edge.source), i = /* @__PURE__ */ k(() => t.edge.target), a = /* @__PURE__ */ k(() => t.edge.sourceX), o = /* @__PURE__ */ k(() => t.edge.sourceY), s = /* @__PURE__ */ k(() => t.edge.targetX), c = /* @__PURE__ */ k(() => t.edge.targetY), l = /* @__PURE__ */ k(() => t.edge.sourcePosition), u = /* @__PURE__ */ k(() => t.edge.targetPosition), d = /* @__PURE__ */ k(() => _(t.edge.animated, !1)), f = /* @__PURE__ */ k(() => _(t.edge.selected, !1)), p = /* @__PURE__ */ k(() => t.edge.label), m = /* @__PURE__ */ k(() => t.edge.labelStyle), h = /* @__PURE__ */ k(() => _(t.edge.data, () => ({}), !0)), g = /* @__PURE__ */ k(() => t.edge.style), v = /* @__PURE__ */ k(() => t.edge.interactionWidth), y = /* @__PURE__ */ k(() => _(t.edge.type, "default")), b = /* @__PURE__ */ k(() => t.edge.sourceHandle), x = /* @__PURE__ */ k(() => t.edge.targetHandle), S = /* @__PURE__ */ k(() => t.edge.markerStart), C = /* @__PURE__ */ k(() => t.edge.markerEnd), w = /* @__PURE__ */ k(() => t.edge.selectable), ee = /* @__PURE__ */ k(() => t.edge.focusable), te = /* @__PURE__ */ k(() => _(t.edge.deletable, !0)), ne = /* @__PURE__ */ k(() => t.edge.hidden), re = /* @__PURE__ */ k(() => t.edge.zIndex), ie = /* @__PURE__ */ k(() => t.edge.class), ae = /* @__PURE__ */ k(() => t.edge.ariaLabel);
	Oh(R(n));
	let oe = null, se = /* @__PURE__ */ k(() => R(w) ?? t.store.elementsSelectable), ce = /* @__PURE__ */ k(() => R(ee) ?? t.store.edgesFocusable), le = /* @__PURE__ */ k(() => t.store.edgeTypes[R(y)] ?? eg), ue = /* @__PURE__ */ k(() => R(S) ? `url('#${Cm(R(S), t.store.flowId)}')` : void 0), de = /* @__PURE__ */ k(() => R(C) ? `url('#${Cm(R(C), t.store.flowId)}')` : void 0);
	function fe(e) {
		let r = t.store.edgeLookup.get(R(n));
		r && (R(se) && t.store.handleEdgeSelection(R(n)), t.onedgeclick?.({
			event: e,
			edge: r
		}));
	}
	function pe(e, r) {
		let i = t.store.edgeLookup.get(R(n));
		i && r({
			event: e,
			edge: i
		});
	}
	function me(e) {
		if (!t.store.disableKeyboardA11y && Jf.includes(e.key) && R(se)) {
			let { unselectNodesAndEdges: r, addSelectedEdges: i } = t.store;
			e.key === "Escape" ? (oe?.blur(), r({ edges: [t.edge] })) : i([R(n)]);
		}
	}
	var he = ai(), ge = P(he), _e = (e) => {
		var _ = Vg();
		let S;
		var C = N(_);
		ha(C, () => ({
			class: ["svelte-flow__edge", R(ie)],
			"data-id": R(n),
			onclick: fe,
			oncontextmenu: t.onedgecontextmenu ? (e) => {
				pe(e, t.onedgecontextmenu);
			} : void 0,
			onpointerenter: t.onedgepointerenter ? (e) => {
				pe(e, t.onedgepointerenter);
			} : void 0,
			onpointerleave: t.onedgepointerleave ? (e) => {
				pe(e, t.onedgepointerleave);
			} : void 0,
			"aria-label": R(ae) === null ? void 0 : R(ae) ? R(ae) : `Edge from ${R(r)} to ${R(i)}`,
			"aria-describedby": R(ce) ? `${Fg}-${t.store.flowId}` : void 0,
			role: t.edge.ariaRole ?? (R(ce) ? "group" : "img"),
			"aria-roledescription": "edge",
			onkeydown: R(ce) ? me : void 0,
			tabindex: R(ce) ? 0 : void 0,
			...t.edge.domAttributes,
			[na]: {
				animated: R(d),
				selected: R(f),
				selectable: R(se)
			}
		})), Ni(N(C), () => R(le), (e, t) => {
			t(e, {
				get id() {
					return R(n);
				},
				get source() {
					return R(r);
				},
				get target() {
					return R(i);
				},
				get sourceX() {
					return R(a);
				},
				get sourceY() {
					return R(o);
				},
				get targetX() {
					return R(s);
				},
				get targetY() {
					return R(c);
				},
				get sourcePosition() {
					return R(l);
				},
				get targetPosition() {
					return R(u);
				},
				get animated() {
					return R(d);
				},
				get selected() {
					return R(f);
				},
				get label() {
					return R(p);
				},
				get labelStyle() {
					return R(m);
				},
				get data() {
					return R(h);
				},
				get style() {
					return R(g);
				},
				get interactionWidth() {
					return R(v);
				},
				get selectable() {
					return R(se);
				},
				get deletable() {
					return R(te);
				},
				get type() {
					return R(y);
				},
				get sourceHandleId() {
					return R(b);
				},
				get targetHandleId() {
					return R(x);
				},
				get markerStart() {
					return R(ue);
				},
				get markerEnd() {
					return R(de);
				}
			});
		}), E(C), Oa(C, (e) => oe = e, () => oe), E(_), L(() => S = qi(_, "", S, { "z-index": R(re) })), V(e, _);
	};
	U(ge, (e) => {
		R(ne) || e(_e);
	}), V(e, he), O();
}
// node_modules/svelte/src/internal/flags/legacy.js
Ze();
// node_modules/@xyflow/svelte/dist/lib/container/EdgeRenderer/MarkerDefinition/MarkerDefinition.svelte
var Ug = /* @__PURE__ */ ri("<defs></defs>");
function Wg(e, t) {
	D(t, !1);
	let n = gg();
	Aa();
	var r = Ug();
	Ei(r, 5, () => n.markers, (e) => e.id, (e, t) => {
		Jg(e, La(() => R(t)));
	}), E(r), V(e, r), O();
}
// node_modules/@xyflow/svelte/dist/lib/container/EdgeRenderer/MarkerDefinition/Marker.svelte
var Gg = /* @__PURE__ */ ri("<polyline class=\"arrow\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\" points=\"-5,-4 0,0 -5,4\"></polyline>"), Kg = /* @__PURE__ */ ri("<polyline class=\"arrowclosed\" stroke-linecap=\"round\" stroke-linejoin=\"round\" points=\"-5,-4 0,0 -5,4 -5,-4\"></polyline>"), qg = /* @__PURE__ */ ri("<marker class=\"svelte-flow__arrowhead\" viewBox=\"-10 -10 20 20\" refX=\"0\" refY=\"0\"><!></marker>");
function Jg(e, t) {
	D(t, !0);
	let n = G(t, "width", 3, 12.5), r = G(t, "height", 3, 12.5), i = G(t, "markerUnits", 3, "strokeWidth"), a = G(t, "orient", 3, "auto-start-reverse"), o = G(t, "color", 3, "none");
	var s = qg(), c = N(s), l = (e) => {
		var n = Gg();
		let r;
		L(() => {
			W(n, "stroke-width", t.strokeWidth), r = qi(n, "", r, { stroke: o() });
		}), V(e, n);
	}, u = (e) => {
		var n = Kg();
		let r;
		L(() => {
			W(n, "stroke-width", t.strokeWidth), r = qi(n, "", r, {
				stroke: o(),
				fill: o()
			});
		}), V(e, n);
	};
	U(c, (e) => {
		t.type === tp.Arrow ? e(l) : t.type === tp.ArrowClosed && e(u, 1);
	}), E(s), L(() => {
		W(s, "id", t.id), W(s, "markerWidth", `${n()}`), W(s, "markerHeight", `${r()}`), W(s, "markerUnits", i()), W(s, "orient", a());
	}), V(e, s), O();
}
// node_modules/@xyflow/svelte/dist/lib/container/EdgeRenderer/EdgeRenderer.svelte
var Yg = /* @__PURE__ */ B("<div class=\"svelte-flow__edges\"><svg class=\"svelte-flow__marker\"><!></svg> <!></div>");
function Xg(e, t) {
	D(t, !0);
	let n = G(t, "store", 15);
	var r = Yg(), i = N(r);
	Wg(N(i), {}), E(i), Ei(I(i, 2), 17, () => n().visible.edges.values(), (e) => e.id, (e, r) => {
		Hg(e, {
			get edge() {
				return R(r);
			},
			get onedgeclick() {
				return t.onedgeclick;
			},
			get onedgecontextmenu() {
				return t.onedgecontextmenu;
			},
			get onedgepointerenter() {
				return t.onedgepointerenter;
			},
			get onedgepointerleave() {
				return t.onedgepointerleave;
			},
			get store() {
				return n();
			},
			set store(e) {
				n(e);
			}
		});
	}), E(r), V(e, r), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/Selection/Selection.svelte
var Zg = /* @__PURE__ */ B("<div class=\"svelte-flow__selection svelte-1vr3gfi\"></div>"), Qg = {
	hash: "svelte-1vr3gfi",
	code: ".svelte-flow__selection.svelte-1vr3gfi {position:absolute;top:0;left:0;}"
};
function $g(e, t) {
	D(t, !0), Pi(e, Qg);
	let n = G(t, "x", 3, 0), r = G(t, "y", 3, 0), i = G(t, "width", 3, 0), a = G(t, "height", 3, 0), o = G(t, "isVisible", 3, !0);
	var s = ai(), c = P(s), l = (e) => {
		var t = Zg();
		let o;
		L((e, i) => o = qi(t, "", o, {
			width: e,
			height: i,
			transform: `translate(${n()}px, ${r()}px)`
		}), [() => typeof i() == "string" ? i() : Wh(i()), () => typeof a() == "string" ? a() : Wh(a())]), V(e, t);
	};
	U(c, (e) => {
		o() && e(l);
	}), V(e, s), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/NodeSelection/NodeSelection.svelte
var e_ = /* @__PURE__ */ B("<div><!></div>"), t_ = {
	hash: "svelte-sf2y5e",
	code: ".svelte-flow__selection-wrapper.svelte-sf2y5e {position:absolute;top:0;left:0;z-index:2000;pointer-events:all;}.svelte-flow__selection-wrapper.svelte-sf2y5e:focus,\n  .svelte-flow__selection-wrapper.svelte-sf2y5e:focus-visible {outline:none;}"
};
function n_(e, t) {
	D(t, !0), Pi(e, t_);
	let n = /* @__PURE__ */ j(void 0);
	Pn(() => {
		t.store.disableKeyboardA11y || R(n)?.focus({ preventScroll: !0 });
	});
	let r = /* @__PURE__ */ k(() => {
		if (t.store.selectionRectMode === "nodes") {
			t.store.nodes;
			let e = cp(t.store.nodeLookup, { filter: (e) => !!e.selected });
			if (e.width > 0 && e.height > 0) return e;
		}
		return null;
	});
	function i(e) {
		let n = t.store.nodes.filter((e) => e.selected);
		t.onselectioncontextmenu?.({
			nodes: n,
			event: e
		});
	}
	function a(e) {
		let n = t.store.nodes.filter((e) => e.selected);
		t.onselectionclick?.({
			nodes: n,
			event: e
		});
	}
	function o(e) {
		Object.prototype.hasOwnProperty.call(Gh, e.key) && (e.preventDefault(), t.store.moveSelectedNodes(Gh[e.key], e.shiftKey ? 4 : 1));
	}
	var s = ai(), c = P(s), l = (e) => {
		var s = e_();
		let c;
		$g(N(s), {
			width: "100%",
			height: "100%",
			x: 0,
			y: 0
		}), E(s), Fi(s, (e, t) => kg?.(e, t), () => ({
			disabled: !1,
			store: t.store,
			onDrag: (e, n, r, i) => {
				t.onnodedrag?.({
					event: e,
					targetNode: null,
					nodes: i
				});
			},
			onDragStart: (e, n, r, i) => {
				t.onnodedragstart?.({
					event: e,
					targetNode: null,
					nodes: i
				});
			},
			onDragStop: (e, n, r, i) => {
				t.onnodedragstop?.({
					event: e,
					targetNode: null,
					nodes: i
				});
			}
		})), Oa(s, (e) => M(n, e), () => R(n)), L((e, n) => {
			Gi(s, 1, zi(["svelte-flow__selection-wrapper", t.store.noPanClass]), "svelte-sf2y5e"), W(s, "role", t.store.disableKeyboardA11y ? void 0 : "button"), W(s, "tabindex", t.store.disableKeyboardA11y ? void 0 : -1), c = qi(s, "", c, {
				width: e,
				height: n,
				transform: `translate(${R(r).x ?? ""}px, ${R(r).y ?? ""}px)`
			});
		}, [() => Wh(R(r).width), () => Wh(R(r).height)]), z("contextmenu", s, i), z("click", s, a), z("keydown", s, function(...e) {
			(t.store.disableKeyboardA11y ? void 0 : o)?.apply(this, e);
		}), V(e, s);
	}, u = /* @__PURE__ */ k(() => t.store.selectionRectMode === "nodes" && R(r) && kp(R(r).x) && kp(R(r).y));
	U(c, (e) => {
		R(u) && e(l);
	}), V(e, s), O();
}
Jr([
	"contextmenu",
	"click",
	"keydown"
]);
// node_modules/@svelte-put/shortcut/src/shortcut.js
function r_(e) {
	switch (e) {
		case "none": return 0;
		case "ctrl": return 8;
		case "shift": return 4;
		case "alt": return 2;
		case "meta": return 1;
	}
}
function i_(e, t) {
	let { enabled: n = !0, trigger: r, type: i = "keydown" } = t;
	function a(t) {
		let n = Array.isArray(r) ? r : [r], i = [
			t.metaKey,
			t.altKey,
			t.shiftKey,
			t.ctrlKey
		].reduce((e, t, n) => t ? e | 1 << n : e, 0);
		for (let r of n) {
			let n = {
				preventDefault: !1,
				enabled: !0,
				...r
			}, { modifier: a, key: o, code: s, callback: c, preventDefault: l, enabled: u } = n;
			if (!o && !s && console.warn("[svelte-put/shortcut] Trigger should have either `key` or `code`, a trigger missing both was detected! Check your configuration"), u && (o || s)) {
				if (s && t.code !== s || o && t.key !== o) continue;
				if (a === null || a === !1) {
					if (i !== 0) continue;
				} else if (a !== void 0 && a?.[0]?.length > 0) {
					let e = Array.isArray(a) ? a : [a], t = !1;
					for (let n of e) if ((Array.isArray(n) ? n : [n]).reduce((e, t) => e | r_(t), 0) === i) {
						t = !0;
						break;
					}
					if (!t) continue;
				}
				l && t.preventDefault();
				let r = {
					node: e,
					trigger: n,
					originalEvent: t
				};
				e.dispatchEvent(new CustomEvent("shortcut", { detail: r })), c?.(r);
			}
		}
	}
	let o;
	return n && (o = Kr(e, i, a)), {
		update: (t) => {
			let { enabled: s = !0, type: c = "keydown" } = t;
			n && (!s || i !== c) ? o?.() : !n && s && (o = Kr(e, c, a)), n = s, i = c, r = t.trigger;
		},
		destroy: () => {
			o?.();
		}
	};
}
// node_modules/@xyflow/svelte/dist/lib/hooks/useSvelteFlow.svelte.js
function a_() {
	let e = /* @__PURE__ */ k(gg), t = (t) => {
		let n = Hh(t) ? t : R(e).nodeLookup.get(t.id), r = n.parentId ? Hp(n.position, n.measured, n.parentId, R(e).nodeLookup, R(e).nodeOrigin) : n.position;
		return Cp({
			...n,
			position: r,
			width: n.measured?.width ?? n.width,
			height: n.measured?.height ?? n.height
		});
	};
	function n(t, n, r = { replace: !1 }) {
		R(e).nodes = jr(() => R(e).nodes).map((e) => {
			if (e.id === t) {
				let t = typeof n == "function" ? n(e) : n;
				return r?.replace && Hh(t) ? t : {
					...e,
					...t
				};
			}
			return e;
		});
	}
	function r(t, n, r = { replace: !1 }) {
		R(e).edges = jr(() => R(e).edges).map((e) => {
			if (e.id === t) {
				let t = typeof n == "function" ? n(e) : n;
				return r.replace && Uh(t) ? t : {
					...e,
					...t
				};
			}
			return e;
		});
	}
	let i = (t) => R(e).nodeLookup.get(t);
	return {
		zoomIn: R(e).zoomIn,
		zoomOut: R(e).zoomOut,
		getInternalNode: i,
		getNode: (e) => i(e)?.internals.userNode,
		getNodes: (t) => t === void 0 ? R(e).nodes : o_(R(e).nodeLookup, t),
		getEdge: (t) => R(e).edgeLookup.get(t),
		getEdges: (t) => t === void 0 ? R(e).edges : o_(R(e).edgeLookup, t),
		setZoom: async (t, n) => {
			let r = R(e).panZoom;
			return r ? r.scaleTo(t, n) : !1;
		},
		getZoom: () => R(e).viewport.zoom,
		setViewport: async (t, n) => {
			let r = R(e).viewport;
			return R(e).panZoom ? (await R(e).panZoom.setViewport({
				x: t.x ?? r.x,
				y: t.y ?? r.y,
				zoom: t.zoom ?? r.zoom
			}, n), !0) : !1;
		},
		getViewport: () => $e(R(e).viewport),
		setCenter: async (t, n, r) => R(e).setCenter(t, n, r),
		fitView: (t) => R(e).fitView(t),
		fitBounds: async (t, n) => {
			if (!R(e).panZoom) return !1;
			let r = Lp(t, R(e).width, R(e).height, R(e).minZoom, R(e).maxZoom, n?.padding ?? .1);
			return await R(e).panZoom.setViewport(r, {
				duration: n?.duration,
				ease: n?.ease,
				interpolate: n?.interpolate
			}), !0;
		},
		getIntersectingNodes: (n, r = !0, i) => {
			let a = Op(n), o = a ? n : t(n);
			return o ? (i || R(e).nodes).filter((t) => {
				let i = R(e).nodeLookup.get(t.id);
				if (!i || !a && t.id === n.id) return !1;
				let s = Cp(i), c = Dp(s, o);
				return r && c > 0 || c >= s.width * s.height || c >= o.width * o.height;
			}) : [];
		},
		isNodeIntersecting: (e, n, r = !0) => {
			let i = Op(e) ? e : t(e);
			if (!i) return !1;
			let a = Dp(i, n);
			return r && a > 0 || a >= n.width * n.height || a >= i.width * i.height;
		},
		deleteElements: async ({ nodes: t = [], edges: n = [] }) => {
			let { nodes: r, edges: i } = await mp({
				nodesToRemove: t,
				edgesToRemove: n,
				nodes: R(e).nodes,
				edges: R(e).edges,
				onBeforeDelete: R(e).onbeforedelete
			});
			return r && (R(e).nodes = jr(() => R(e).nodes).filter((e) => !r.some(({ id: t }) => t === e.id))), i && (R(e).edges = jr(() => R(e).edges).filter((e) => !i.some(({ id: t }) => t === e.id))), (r.length > 0 || i.length > 0) && R(e).ondelete?.({
				nodes: r,
				edges: i
			}), {
				deletedNodes: r,
				deletedEdges: i
			};
		},
		screenToFlowPosition: (t, n = { snapToGrid: !0 }) => {
			if (!R(e).domNode) return t;
			let r = n.snapToGrid ? R(e).snapGrid : !1, { x: i, y: a, zoom: o } = R(e).viewport, { x: s, y: c } = R(e).domNode.getBoundingClientRect();
			return Mp({
				x: t.x - s,
				y: t.y - c
			}, [
				i,
				a,
				o
			], r !== null, r || [1, 1]);
		},
		flowToScreenPosition: (t) => {
			if (!R(e).domNode) return t;
			let { x: n, y: r, zoom: i } = R(e).viewport, { x: a, y: o } = R(e).domNode.getBoundingClientRect(), s = Np(t, [
				n,
				r,
				i
			]);
			return {
				x: s.x + a,
				y: s.y + o
			};
		},
		toObject: () => structuredClone({
			nodes: [...R(e).nodes],
			edges: [...R(e).edges],
			viewport: { ...R(e).viewport }
		}),
		updateNode: n,
		updateNodeData: (t, r, i) => {
			let a = R(e).nodeLookup.get(t)?.internals.userNode;
			if (!a) return;
			let o = typeof r == "function" ? r(a) : r;
			n(t, (e) => ({
				...e,
				data: i?.replace ? o : {
					...e.data,
					...o
				}
			}));
		},
		updateEdge: r,
		getNodesBounds: (t) => sp(t, {
			nodeLookup: R(e).nodeLookup,
			nodeOrigin: R(e).nodeOrigin
		}),
		getHandleConnections: ({ type: t, id: n, nodeId: r }) => Array.from(R(e).connectionLookup.get(`${r}-${t}-${n ?? null}`)?.values() ?? [])
	};
}
function o_(e, t) {
	let n = [];
	for (let r of t) {
		let t = e.get(r);
		if (t) {
			let e = "internals" in t ? t.internals?.userNode : t;
			n.push(e);
		}
	}
	return n;
}
// node_modules/@xyflow/svelte/dist/lib/components/KeyHandler/KeyHandler.svelte
function s_(e, t) {
	D(t, !0);
	let n = G(t, "store", 15), r = G(t, "selectionKey", 3, "Shift"), i = G(t, "multiSelectionKey", 19, () => Rp() ? "Meta" : "Control"), a = G(t, "deleteKey", 3, "Backspace"), o = G(t, "panActivationKey", 3, " "), s = G(t, "zoomActivationKey", 19, () => Rp() ? "Meta" : "Control"), { deleteElements: c } = a_();
	function l(e) {
		return typeof e == "object" && !!e;
	}
	function u(e) {
		return l(e) && e.modifier || [];
	}
	function d(e) {
		return e == null ? "" : l(e) ? e.key : e;
	}
	function f(e, t) {
		return (Array.isArray(e) ? e : [e]).map((e) => {
			let n = d(e);
			return {
				key: n,
				modifier: u(e),
				enabled: n !== null,
				callback: t
			};
		});
	}
	function p() {
		n(n().selectionRect = null, !0), n(n().selectionKeyPressed = !1, !0), n(n().multiselectionKeyPressed = !1, !0), n(n().deleteKeyPressed = !1, !0), n(n().panActivationKeyPressed = !1, !0), n(n().zoomActivationKeyPressed = !1, !0);
	}
	function m() {
		let e = n().nodes.filter((e) => e.selected), t = n().edges.filter((e) => e.selected);
		c({
			nodes: e,
			edges: t
		});
	}
	qr("blur", hn, p), qr("contextmenu", hn, p), Fi(hn, (e, t) => i_?.(e, t), () => ({
		trigger: f(r(), () => n(n().selectionKeyPressed = !0, !0)),
		type: "keydown"
	})), Fi(hn, (e, t) => i_?.(e, t), () => ({
		trigger: f(r(), () => n(n().selectionKeyPressed = !1, !0)),
		type: "keyup"
	})), Fi(hn, (e, t) => i_?.(e, t), () => ({
		trigger: f(i(), () => {
			n(n().multiselectionKeyPressed = !0, !0);
		}),
		type: "keydown"
	})), Fi(hn, (e, t) => i_?.(e, t), () => ({
		trigger: f(i(), () => n(n().multiselectionKeyPressed = !1, !0)),
		type: "keyup"
	})), Fi(hn, (e, t) => i_?.(e, t), () => ({
		trigger: f(a(), (e) => {
			!(e.originalEvent.ctrlKey || e.originalEvent.metaKey || e.originalEvent.shiftKey) && !Zp(e.originalEvent) && (n(n().deleteKeyPressed = !0, !0), m());
		}),
		type: "keydown"
	})), Fi(hn, (e, t) => i_?.(e, t), () => ({
		trigger: f(a(), () => n(n().deleteKeyPressed = !1, !0)),
		type: "keyup"
	})), Fi(hn, (e, t) => i_?.(e, t), () => ({
		trigger: f(o(), () => n(n().panActivationKeyPressed = !0, !0)),
		type: "keydown"
	})), Fi(hn, (e, t) => i_?.(e, t), () => ({
		trigger: f(o(), () => n(n().panActivationKeyPressed = !1, !0)),
		type: "keyup"
	})), Fi(hn, (e, t) => i_?.(e, t), () => ({
		trigger: f(s(), () => n(n().zoomActivationKeyPressed = !0, !0)),
		type: "keydown"
	})), Fi(hn, (e, t) => i_?.(e, t), () => ({
		trigger: f(s(), () => n(n().zoomActivationKeyPressed = !1, !0)),
		type: "keyup"
	})), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/ConnectionLine/ConnectionLine.svelte
var c_ = /* @__PURE__ */ ri("<path fill=\"none\" class=\"svelte-flow__connection-path\"></path>"), l_ = /* @__PURE__ */ ri("<svg class=\"svelte-flow__connectionline\"><g><!></g></svg>");
function u_(e, t) {
	D(t, !0);
	let n = /* @__PURE__ */ k(() => {
		if (!t.store.connection.inProgress) return "";
		let e = {
			sourceX: t.store.connection.from.x,
			sourceY: t.store.connection.from.y,
			sourcePosition: t.store.connection.fromPosition,
			targetX: t.store.connection.to.x,
			targetY: t.store.connection.to.y,
			targetPosition: t.store.connection.toPosition
		};
		switch (t.type) {
			case ep.Bezier: {
				let [t] = im(e);
				return t;
			}
			case ep.Straight: {
				let [t] = dm(e);
				return t;
			}
			case ep.Step:
			case ep.SmoothStep: {
				let [n] = _m({
					...e,
					borderRadius: t.type === ep.Step ? 0 : void 0
				});
				return n;
			}
		}
	});
	var r = ai(), i = P(r), a = (e) => {
		var r = l_(), i = N(r), a = N(i), o = (e) => {
			var n = ai();
			Ni(P(n), () => t.LineComponent, (e, t) => {
				t(e, {});
			}), V(e, n);
		}, s = (e) => {
			var r = c_();
			L(() => {
				W(r, "d", R(n)), qi(r, t.style);
			}), V(e, r);
		};
		U(a, (e) => {
			t.LineComponent ? e(o) : e(s, -1);
		}), E(i), E(r), L((e) => {
			W(r, "width", t.store.width), W(r, "height", t.store.height), qi(r, t.containerStyle), Gi(i, 0, e);
		}, [() => zi(["svelte-flow__connection", Kp(t.store.connection.isValid)])]), V(e, r);
	};
	U(i, (e) => {
		t.store.connection.inProgress && e(a);
	}), V(e, r), O();
}
// node_modules/@xyflow/svelte/dist/lib/container/Panel/Panel.svelte
var d_ = /* @__PURE__ */ new Set([
	"$$slots",
	"$$events",
	"$$legacy",
	"position",
	"style",
	"class",
	"children"
]), f_ = /* @__PURE__ */ B("<div><!></div>");
function p_(e, t) {
	D(t, !0);
	let n = G(t, "position", 3, "top-right"), r = /* @__PURE__ */ Fa(t, d_), i = /* @__PURE__ */ k(() => `${n()}`.split("-"));
	var a = f_();
	ha(a, (e) => ({
		class: e,
		style: t.style,
		...r
	}), [() => [
		"svelte-flow__panel",
		t.class,
		...R(i)
	]]), Mi(N(a), () => t.children ?? f), E(a), V(e, a), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/Attribution/Attribution.svelte
var m_ = /* @__PURE__ */ B("<a target=\"_blank\" rel=\"noopener noreferrer\" aria-label=\"Svelte Flow attribution\">Svelte Flow</a>");
function h_(e, t) {
	D(t, !0);
	let n = G(t, "position", 3, "bottom-right"), r = "https://svelteflow.dev?utm_source=attribution";
	var i = ai(), a = P(i), o = (e) => {
		{
			let t = /* @__PURE__ */ k(() => `Please only hide this attribution when you are subscribed to Svelte Flow Pro: ${r}`);
			p_(e, {
				get position() {
					return n();
				},
				class: "svelte-flow__attribution",
				get "data-message"() {
					return R(t);
				},
				children: (e, t) => {
					var n = m_();
					L(() => W(n, "href", r)), V(e, n);
				},
				$$slots: { default: !0 }
			});
		}
	};
	U(a, (e) => {
		t.proOptions?.hideAttribution || e(o);
	}), V(e, i), O();
}
// node_modules/@xyflow/svelte/dist/lib/container/SvelteFlow/Wrapper.svelte
var g_ = /* @__PURE__ */ B("<div><!></div>"), __ = {
	hash: "svelte-mkap6j",
	code: ".svelte-flow.svelte-mkap6j {width:100%;height:100%;overflow:hidden;position:relative;z-index:0;}"
};
function v_(e, t) {
	D(t, !0), Pi(e, __);
	let n = G(t, "domNode", 15), r = G(t, "clientWidth", 15), i = G(t, "clientHeight", 15), a = /* @__PURE__ */ k(() => t.rest.class), o = /* @__PURE__ */ k(() => y(t.rest, /* @__PURE__ */ "id.class.nodeTypes.edgeTypes.colorMode.isValidConnection.onmove.onmovestart.onmoveend.onflowerror.ondelete.onbeforedelete.onbeforeconnect.onconnect.onconnectstart.onconnectend.onbeforereconnect.onreconnect.onreconnectstart.onreconnectend.onclickconnectstart.onclickconnectend.oninit.onselectionchange.onselectiondragstart.onselectiondrag.onselectiondragstop.onselectionstart.onselectionend.clickConnect.fitView.fitViewOptions.nodeOrigin.nodeDragThreshold.connectionDragThreshold.minZoom.maxZoom.initialViewport.connectionRadius.connectionMode.selectionMode.selectNodesOnDrag.snapGrid.defaultMarkerColor.translateExtent.nodeExtent.onlyRenderVisibleElements.autoPanOnConnect.autoPanOnNodeDrag.colorModeSSR.defaultEdgeOptions.elevateNodesOnSelect.elevateEdgesOnSelect.nodesDraggable.autoPanOnNodeFocus.nodesConnectable.elementsSelectable.nodesFocusable.edgesFocusable.disableKeyboardA11y.noDragClass.noPanClass.noWheelClass.ariaLabelConfig.autoPanSpeed.panOnScrollSpeed.zIndexMode.autoPanOnSelection".split(".")));
	function s(e) {
		e.currentTarget.scrollTo({
			top: 0,
			left: 0,
			behavior: "auto"
		}), t.rest.onscroll && t.rest.onscroll(e);
	}
	var c = g_();
	ha(c, (e, n) => ({
		class: [
			"svelte-flow",
			"svelte-flow__container",
			t.colorMode,
			R(a)
		],
		"data-testid": "svelte-flow__wrapper",
		role: "application",
		onscroll: s,
		...R(o),
		[ra]: {
			width: e,
			height: n
		}
	}), [() => Wh(t.width), () => Wh(t.height)], void 0, void 0, "svelte-mkap6j"), Mi(N(c), () => t.children ?? f), E(c), Oa(c, (e) => n(e), () => n()), Ea(c, "clientHeight", i), Ea(c, "clientWidth", r), V(e, c), O();
}
// node_modules/@xyflow/svelte/dist/lib/container/SvelteFlow/SvelteFlow.svelte
var y_ = /* @__PURE__ */ new Set(/* @__PURE__ */ "$$slots.$$events.$$legacy.width.height.proOptions.selectionKey.deleteKey.panActivationKey.multiSelectionKey.zoomActivationKey.paneClickDistance.nodeClickDistance.onmovestart.onmoveend.onmove.oninit.onnodeclick.onnodecontextmenu.onnodedrag.onnodedragstart.onnodedragstop.onnodepointerenter.onnodepointermove.onnodepointerleave.onselectionclick.onselectioncontextmenu.onselectionstart.onselectionend.onedgeclick.onedgecontextmenu.onedgepointerenter.onedgepointerleave.onpaneclick.onpanecontextmenu.panOnScrollMode.preventScrolling.zoomOnScroll.zoomOnDoubleClick.zoomOnPinch.panOnScroll.panOnScrollSpeed.panOnDrag.selectionOnDrag.autoPanOnSelection.connectionLineComponent.connectionLineStyle.connectionLineContainerStyle.connectionLineType.attributionPosition.children.nodes.edges.viewport".split(".")), b_ = /* @__PURE__ */ B("<div class=\"svelte-flow__viewport-back svelte-flow__container\"></div> <!> <div class=\"svelte-flow__edge-labels svelte-flow__container\"></div> <!> <!> <!> <div class=\"svelte-flow__viewport-front svelte-flow__container\"></div>", 1), x_ = /* @__PURE__ */ B("<!> <!>", 1), S_ = /* @__PURE__ */ B("<!> <!> <!> <!> <!>", 1);
function C_(e, t) {
	D(t, !0);
	let n = G(t, "paneClickDistance", 3, 1), r = G(t, "nodeClickDistance", 3, 1), i = G(t, "panOnScrollMode", 19, () => Zf.Free), a = G(t, "preventScrolling", 3, !0), o = G(t, "zoomOnScroll", 3, !0), s = G(t, "zoomOnDoubleClick", 3, !0), c = G(t, "zoomOnPinch", 3, !0), l = G(t, "panOnScroll", 3, !1), u = G(t, "panOnScrollSpeed", 3, .5), d = G(t, "panOnDrag", 3, !0), p = G(t, "selectionOnDrag", 3, !1), m = G(t, "autoPanOnSelection", 3, !0), h = G(t, "connectionLineType", 19, () => ep.Bezier), g = G(t, "nodes", 31, () => fn([])), _ = G(t, "edges", 31, () => fn([])), v = G(t, "viewport", 15, void 0), y = /* @__PURE__ */ Fa(t, y_), b = vg({
		props: y,
		width: t.width,
		height: t.height,
		get nodes() {
			return g();
		},
		set nodes(e) {
			g(e);
		},
		get edges() {
			return _();
		},
		set edges(e) {
			_(e);
		},
		get viewport() {
			return v();
		},
		set viewport(e) {
			v(e);
		}
	}), x = at(_g);
	x && x.setStore && x.setStore(b), ot(_g, {
		provider: !1,
		getStore() {
			return b;
		}
	}), Pn(() => {
		let e = {
			nodes: b.selectedNodes,
			edges: b.selectedEdges
		};
		jr(() => t.onselectionchange)?.(e);
		for (let t of b.selectionChangeHandlers.values()) t(e);
	}), za(() => {
		x?.setStore(vg({
			width: 0,
			height: 0,
			nodes: [],
			edges: [],
			props: {}
		}));
	}), v_(e, {
		get colorMode() {
			return b.colorMode;
		},
		get width() {
			return t.width;
		},
		get height() {
			return t.height;
		},
		get rest() {
			return y;
		},
		get domNode() {
			return b.domNode;
		},
		set domNode(e) {
			b.domNode = e;
		},
		get clientWidth() {
			return b.width;
		},
		set clientWidth(e) {
			b.width = e;
		},
		get clientHeight() {
			return b.height;
		},
		set clientHeight(e) {
			b.height = e;
		},
		children: (e, g) => {
			var _ = S_(), v = P(_);
			s_(v, {
				get selectionKey() {
					return t.selectionKey;
				},
				get deleteKey() {
					return t.deleteKey;
				},
				get panActivationKey() {
					return t.panActivationKey;
				},
				get multiSelectionKey() {
					return t.multiSelectionKey;
				},
				get zoomActivationKey() {
					return t.zoomActivationKey;
				},
				get store() {
					return b;
				},
				set store(e) {
					b = e;
				}
			});
			var y = I(v, 2);
			xg(y, {
				get panOnScrollMode() {
					return i();
				},
				get preventScrolling() {
					return a();
				},
				get zoomOnScroll() {
					return o();
				},
				get zoomOnDoubleClick() {
					return s();
				},
				get zoomOnPinch() {
					return c();
				},
				get panOnScroll() {
					return l();
				},
				get panOnScrollSpeed() {
					return u();
				},
				get panOnDrag() {
					return d();
				},
				get paneClickDistance() {
					return n();
				},
				get selectionOnDrag() {
					return p();
				},
				get onmovestart() {
					return t.onmovestart;
				},
				get onmove() {
					return t.onmove;
				},
				get onmoveend() {
					return t.onmoveend;
				},
				get oninit() {
					return t.oninit;
				},
				get store() {
					return b;
				},
				set store(e) {
					b = e;
				},
				children: (e, i) => {
					Eg(e, {
						get onpaneclick() {
							return t.onpaneclick;
						},
						get onpanecontextmenu() {
							return t.onpanecontextmenu;
						},
						get onselectionstart() {
							return t.onselectionstart;
						},
						get onselectionend() {
							return t.onselectionend;
						},
						get panOnDrag() {
							return d();
						},
						get paneClickDistance() {
							return n();
						},
						get selectionOnDrag() {
							return p();
						},
						get autoPanOnSelection() {
							return m();
						},
						get store() {
							return b;
						},
						set store(e) {
							b = e;
						},
						children: (e, n) => {
							var i = x_(), a = P(i);
							Og(a, {
								get store() {
									return b;
								},
								set store(e) {
									b = e;
								},
								children: (e, n) => {
									var i = b_(), a = I(P(i), 2);
									Xg(a, {
										get onedgeclick() {
											return t.onedgeclick;
										},
										get onedgecontextmenu() {
											return t.onedgecontextmenu;
										},
										get onedgepointerenter() {
											return t.onedgepointerenter;
										},
										get onedgepointerleave() {
											return t.onedgepointerleave;
										},
										get store() {
											return b;
										},
										set store(e) {
											b = e;
										}
									});
									var o = I(a, 4);
									u_(o, {
										get type() {
											return h();
										},
										get LineComponent() {
											return t.connectionLineComponent;
										},
										get containerStyle() {
											return t.connectionLineContainerStyle;
										},
										get style() {
											return t.connectionLineStyle;
										},
										get store() {
											return b;
										},
										set store(e) {
											b = e;
										}
									});
									var s = I(o, 2);
									Bg(s, {
										get nodeClickDistance() {
											return r();
										},
										get onnodeclick() {
											return t.onnodeclick;
										},
										get onnodecontextmenu() {
											return t.onnodecontextmenu;
										},
										get onnodepointerenter() {
											return t.onnodepointerenter;
										},
										get onnodepointermove() {
											return t.onnodepointermove;
										},
										get onnodepointerleave() {
											return t.onnodepointerleave;
										},
										get onnodedrag() {
											return t.onnodedrag;
										},
										get onnodedragstart() {
											return t.onnodedragstart;
										},
										get onnodedragstop() {
											return t.onnodedragstop;
										},
										get store() {
											return b;
										},
										set store(e) {
											b = e;
										}
									}), n_(I(s, 2), {
										get onselectionclick() {
											return t.onselectionclick;
										},
										get onselectioncontextmenu() {
											return t.onselectioncontextmenu;
										},
										get onnodedrag() {
											return t.onnodedrag;
										},
										get onnodedragstart() {
											return t.onnodedragstart;
										},
										get onnodedragstop() {
											return t.onnodedragstop;
										},
										get store() {
											return b;
										},
										set store(e) {
											b = e;
										}
									}), Me(2), V(e, i);
								},
								$$slots: { default: !0 }
							});
							var o = I(a, 2);
							{
								let e = /* @__PURE__ */ k(() => !!(b.selectionRect && b.selectionRectMode === "user")), t = /* @__PURE__ */ k(() => b.selectionRect?.width), n = /* @__PURE__ */ k(() => b.selectionRect?.height), r = /* @__PURE__ */ k(() => b.selectionRect?.x), i = /* @__PURE__ */ k(() => b.selectionRect?.y);
								$g(o, {
									get isVisible() {
										return R(e);
									},
									get width() {
										return R(t);
									},
									get height() {
										return R(n);
									},
									get x() {
										return R(r);
									},
									get y() {
										return R(i);
									}
								});
							}
							V(e, i);
						},
						$$slots: { default: !0 }
					});
				},
				$$slots: { default: !0 }
			});
			var x = I(y, 2);
			h_(x, {
				get proOptions() {
					return t.proOptions;
				},
				get position() {
					return t.attributionPosition;
				}
			});
			var S = I(x, 2);
			Ng(S, { get store() {
				return b;
			} }), Mi(I(S, 2), () => t.children ?? f), V(e, _);
		},
		$$slots: { default: !0 }
	}), O();
}
// node_modules/@xyflow/svelte/dist/lib/components/SvelteFlowProvider/SvelteFlowProvider.svelte
function w_(e, t) {
	D(t, !0);
	let n = /* @__PURE__ */ j(vg({
		props: {},
		nodes: [],
		edges: []
	}));
	ot(_g, {
		provider: !0,
		getStore() {
			return R(n);
		},
		setStore: (e) => {
			M(n, e);
		}
	}), za(() => {
		R(n).reset();
	});
	var r = ai();
	Mi(P(r), () => t.children ?? f), V(e, r), O();
}
// node_modules/@xyflow/svelte/dist/lib/plugins/Controls/ControlButton.svelte
var T_ = /* @__PURE__ */ new Set([
	"$$slots",
	"$$events",
	"$$legacy",
	"class",
	"bgColor",
	"bgColorHover",
	"color",
	"colorHover",
	"borderColor",
	"onclick",
	"children"
]), E_ = /* @__PURE__ */ B("<button><!></button>");
function D_(e, t) {
	let n = /* @__PURE__ */ Fa(t, T_);
	var r = E_();
	ha(r, () => ({
		type: "button",
		onclick: t.onclick,
		class: ["svelte-flow__controls-button", t.class],
		...n,
		[ra]: {
			"--xy-controls-button-background-color-props": t.bgColor,
			"--xy-controls-button-background-color-hover-props": t.bgColorHover,
			"--xy-controls-button-color-props": t.color,
			"--xy-controls-button-color-hover-props": t.colorHover,
			"--xy-controls-button-border-color-props": t.borderColor
		}
	})), Mi(N(r), () => t.children ?? f), E(r), V(e, r);
}
// node_modules/@xyflow/svelte/dist/lib/plugins/Controls/Icons/Plus.svelte
var O_ = /* @__PURE__ */ ri("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\"><path d=\"M32 18.133H18.133V32h-4.266V18.133H0v-4.266h13.867V0h4.266v13.867H32z\"></path></svg>");
function k_(e) {
	V(e, O_());
}
// node_modules/@xyflow/svelte/dist/lib/plugins/Controls/Icons/Minus.svelte
var A_ = /* @__PURE__ */ ri("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 5\"><path d=\"M0 0h32v4.2H0z\"></path></svg>");
function j_(e) {
	V(e, A_());
}
// node_modules/@xyflow/svelte/dist/lib/plugins/Controls/Icons/Fit.svelte
var M_ = /* @__PURE__ */ ri("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 30\"><path d=\"M3.692 4.63c0-.53.4-.938.939-.938h5.215V0H4.708C2.13 0 0 2.054 0 4.63v5.216h3.692V4.631zM27.354 0h-5.2v3.692h5.17c.53 0 .984.4.984.939v5.215H32V4.631A4.624 4.624 0 0027.354 0zm.954 24.83c0 .532-.4.94-.939.94h-5.215v3.768h5.215c2.577 0 4.631-2.13 4.631-4.707v-5.139h-3.692v5.139zm-23.677.94c-.531 0-.939-.4-.939-.94v-5.138H0v5.139c0 2.577 2.13 4.707 4.708 4.707h5.138V25.77H4.631z\"></path></svg>");
function N_(e) {
	V(e, M_());
}
// node_modules/@xyflow/svelte/dist/lib/plugins/Controls/Icons/Lock.svelte
var P_ = /* @__PURE__ */ ri("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 25 32\"><path d=\"M21.333 10.667H19.81V7.619C19.81 3.429 16.38 0 12.19 0 8 0 4.571 3.429 4.571 7.619v3.048H3.048A3.056 3.056 0 000 13.714v15.238A3.056 3.056 0 003.048 32h18.285a3.056 3.056 0 003.048-3.048V13.714a3.056 3.056 0 00-3.048-3.047zM12.19 24.533a3.056 3.056 0 01-3.047-3.047 3.056 3.056 0 013.047-3.048 3.056 3.056 0 013.048 3.048 3.056 3.056 0 01-3.048 3.047zm4.724-13.866H7.467V7.619c0-2.59 2.133-4.724 4.723-4.724 2.591 0 4.724 2.133 4.724 4.724v3.048z\"></path></svg>");
function F_(e) {
	V(e, P_());
}
// node_modules/@xyflow/svelte/dist/lib/plugins/Controls/Icons/Unlock.svelte
var I_ = /* @__PURE__ */ ri("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 25 32\"><path d=\"M21.333 10.667H19.81V7.619C19.81 3.429 16.38 0 12.19 0c-4.114 1.828-1.37 2.133.305 2.438 1.676.305 4.42 2.59 4.42 5.181v3.048H3.047A3.056 3.056 0 000 13.714v15.238A3.056 3.056 0 003.048 32h18.285a3.056 3.056 0 003.048-3.048V13.714a3.056 3.056 0 00-3.048-3.047zM12.19 24.533a3.056 3.056 0 01-3.047-3.047 3.056 3.056 0 013.047-3.048 3.056 3.056 0 013.048 3.048 3.056 3.056 0 01-3.048 3.047z\"></path></svg>");
function L_(e) {
	V(e, I_());
}
// node_modules/@xyflow/svelte/dist/lib/plugins/Controls/Controls.svelte
var R_ = /* @__PURE__ */ new Set([
	"$$slots",
	"$$events",
	"$$legacy",
	"position",
	"orientation",
	"showZoom",
	"showFitView",
	"showLock",
	"style",
	"class",
	"buttonBgColor",
	"buttonBgColorHover",
	"buttonColor",
	"buttonColorHover",
	"buttonBorderColor",
	"fitViewOptions",
	"children",
	"before",
	"after"
]), z_ = /* @__PURE__ */ B("<!> <!>", 1), B_ = /* @__PURE__ */ B("<!> <!> <!> <!> <!> <!>", 1);
function V_(e, t) {
	D(t, !0);
	let n = G(t, "position", 3, "bottom-left"), r = G(t, "orientation", 3, "vertical"), i = G(t, "showZoom", 3, !0), a = G(t, "showFitView", 3, !0), o = G(t, "showLock", 3, !0), s = /* @__PURE__ */ Fa(t, R_), c = /* @__PURE__ */ k(gg), l = /* @__PURE__ */ k(() => ({
		bgColor: t.buttonBgColor,
		bgColorHover: t.buttonBgColorHover,
		color: t.buttonColor,
		colorHover: t.buttonColorHover,
		borderColor: t.buttonBorderColor
	})), u = /* @__PURE__ */ k(() => R(c).nodesDraggable || R(c).nodesConnectable || R(c).elementsSelectable), d = /* @__PURE__ */ k(() => R(c).viewport.zoom <= R(c).minZoom), f = /* @__PURE__ */ k(() => R(c).viewport.zoom >= R(c).maxZoom), p = /* @__PURE__ */ k(() => R(c).ariaLabelConfig), m = /* @__PURE__ */ k(() => r() === "horizontal" ? "horizontal" : "vertical"), h = () => {
		R(c).zoomIn();
	}, g = () => {
		R(c).zoomOut();
	}, _ = () => {
		R(c).fitView(t.fitViewOptions);
	}, v = () => {
		let e = !R(u);
		R(c).nodesDraggable = e, R(c).nodesConnectable = e, R(c).elementsSelectable = e;
	};
	{
		let r = /* @__PURE__ */ k(() => [
			"svelte-flow__controls",
			R(m),
			t.class
		]);
		p_(e, La({
			get class() {
				return R(r);
			},
			get position() {
				return n();
			},
			"data-testid": "svelte-flow__controls",
			get "aria-label"() {
				return R(p)["controls.ariaLabel"];
			},
			get style() {
				return t.style;
			}
		}, () => s, {
			children: (e, n) => {
				var r = B_(), s = P(r), c = (e) => {
					var n = ai();
					Mi(P(n), () => t.before), V(e, n);
				};
				U(s, (e) => {
					t.before && e(c);
				});
				var m = I(s, 2), y = (e) => {
					var t = z_(), n = P(t);
					D_(n, La({
						onclick: h,
						class: "svelte-flow__controls-zoomin",
						get title() {
							return R(p)["controls.zoomIn.ariaLabel"];
						},
						get "aria-label"() {
							return R(p)["controls.zoomIn.ariaLabel"];
						},
						get disabled() {
							return R(f);
						}
					}, () => R(l), {
						children: (e, t) => {
							k_(e, {});
						},
						$$slots: { default: !0 }
					})), D_(I(n, 2), La({
						onclick: g,
						class: "svelte-flow__controls-zoomout",
						get title() {
							return R(p)["controls.zoomOut.ariaLabel"];
						},
						get "aria-label"() {
							return R(p)["controls.zoomOut.ariaLabel"];
						},
						get disabled() {
							return R(d);
						}
					}, () => R(l), {
						children: (e, t) => {
							j_(e, {});
						},
						$$slots: { default: !0 }
					})), V(e, t);
				};
				U(m, (e) => {
					i() && e(y);
				});
				var b = I(m, 2), x = (e) => {
					D_(e, La({
						class: "svelte-flow__controls-fitview",
						onclick: _,
						get title() {
							return R(p)["controls.fitView.ariaLabel"];
						},
						get "aria-label"() {
							return R(p)["controls.fitView.ariaLabel"];
						}
					}, () => R(l), {
						children: (e, t) => {
							N_(e, {});
						},
						$$slots: { default: !0 }
					}));
				};
				U(b, (e) => {
					a() && e(x);
				});
				var S = I(b, 2), C = (e) => {
					D_(e, La({
						class: "svelte-flow__controls-interactive",
						onclick: v,
						get title() {
							return R(p)["controls.interactive.ariaLabel"];
						},
						get "aria-label"() {
							return R(p)["controls.interactive.ariaLabel"];
						}
					}, () => R(l), {
						children: (e, t) => {
							var n = ai(), r = P(n), i = (e) => {
								L_(e, {});
							}, a = (e) => {
								F_(e, {});
							};
							U(r, (e) => {
								R(u) ? e(i) : e(a, -1);
							}), V(e, n);
						},
						$$slots: { default: !0 }
					}));
				};
				U(S, (e) => {
					o() && e(C);
				});
				var w = I(S, 2), ee = (e) => {
					var n = ai();
					Mi(P(n), () => t.children), V(e, n);
				};
				U(w, (e) => {
					t.children && e(ee);
				});
				var te = I(w, 2), ne = (e) => {
					var n = ai();
					Mi(P(n), () => t.after), V(e, n);
				};
				U(te, (e) => {
					t.after && e(ne);
				}), V(e, r);
			},
			$$slots: { default: !0 }
		}));
	}
	O();
}
// node_modules/@xyflow/svelte/dist/lib/plugins/Background/types.js
var H_;
(function(e) {
	e.Lines = "lines", e.Dots = "dots", e.Cross = "cross";
})(H_ ||= {});
// node_modules/@xyflow/svelte/dist/lib/plugins/Background/DotPattern.svelte
var U_ = /* @__PURE__ */ ri("<circle></circle>");
function W_(e, t) {
	var n = U_();
	L(() => {
		W(n, "cx", t.radius), W(n, "cy", t.radius), W(n, "r", t.radius), Gi(n, 0, zi([
			"svelte-flow__background-pattern",
			"dots",
			t.class
		]));
	}), V(e, n);
}
// node_modules/@xyflow/svelte/dist/lib/plugins/Background/LinePattern.svelte
var G_ = /* @__PURE__ */ ri("<path></path>");
function K_(e, t) {
	D(t, !0);
	var n = G_();
	L(() => {
		W(n, "stroke-width", t.lineWidth), W(n, "d", `M${t.dimensions[0] / 2} 0 V${t.dimensions[1]} M0 ${t.dimensions[1] / 2} H${t.dimensions[0]}`), Gi(n, 0, zi([
			"svelte-flow__background-pattern",
			t.variant,
			t.class
		]));
	}), V(e, n), O();
}
// node_modules/@xyflow/svelte/dist/lib/plugins/Background/Background.svelte
var q_ = {
	[H_.Dots]: 1,
	[H_.Lines]: 1,
	[H_.Cross]: 6
}, J_ = /* @__PURE__ */ ri("<svg data-testid=\"svelte-flow__background\"><pattern patternUnits=\"userSpaceOnUse\"><!></pattern><rect x=\"0\" y=\"0\" width=\"100%\" height=\"100%\"></rect></svg>");
function Y_(e, t) {
	D(t, !0);
	let n = G(t, "variant", 19, () => H_.Dots), r = G(t, "gap", 3, 20), i = G(t, "lineWidth", 3, 1), a = /* @__PURE__ */ k(gg), o = /* @__PURE__ */ k(() => n() === H_.Dots), s = /* @__PURE__ */ k(() => n() === H_.Cross), c = /* @__PURE__ */ k(() => Array.isArray(r()) ? r() : [r(), r()]), l = /* @__PURE__ */ k(() => `background-pattern-${R(a).flowId}-${t.id ?? ""}`), u = /* @__PURE__ */ k(() => [R(c)[0] * R(a).viewport.zoom || 1, R(c)[1] * R(a).viewport.zoom || 1]), d = /* @__PURE__ */ k(() => (t.size ?? q_[n()]) * R(a).viewport.zoom), f = /* @__PURE__ */ k(() => R(s) ? [R(d), R(d)] : R(u)), p = /* @__PURE__ */ k(() => R(o) ? [R(d) / 2, R(d) / 2] : [R(f)[0] / 2, R(f)[1] / 2]);
	var m = J_();
	let h;
	var g = N(m), _ = N(g), v = (e) => {
		{
			let n = /* @__PURE__ */ k(() => R(d) / 2);
			W_(e, {
				get radius() {
					return R(n);
				},
				get class() {
					return t.patternClass;
				}
			});
		}
	}, y = (e) => {
		K_(e, {
			get dimensions() {
				return R(f);
			},
			get variant() {
				return n();
			},
			get lineWidth() {
				return i();
			},
			get class() {
				return t.patternClass;
			}
		});
	};
	U(_, (e) => {
		R(o) ? e(v) : e(y, -1);
	}), E(g);
	var b = I(g);
	E(m), L(() => {
		Gi(m, 0, zi([
			"svelte-flow__background",
			"svelte-flow__container",
			t.class
		])), h = qi(m, "", h, {
			"--xy-background-color-props": t.bgColor,
			"--xy-background-pattern-color-props": t.patternColor
		}), W(g, "id", R(l)), W(g, "x", R(a).viewport.x % R(u)[0]), W(g, "y", R(a).viewport.y % R(u)[1]), W(g, "width", R(u)[0]), W(g, "height", R(u)[1]), W(g, "patternTransform", `translate(-${R(p)[0]},-${R(p)[1]})`), W(b, "fill", `url(#${R(l)})`);
	}), V(e, m), O();
}
// src/lib/shapes.ts
var X_ = (e = "what") => [{
	key: "pattern",
	label: e
}], Z_ = [{
	key: "parts",
	label: "parts",
	takesMany: !0
}], Q_ = (e = "Span") => ({
	key: "period",
	label: e,
	kind: "period"
}), $_ = (e) => ({
	is: "period",
	text: e
}), ev = {
	key: "order",
	label: "Order",
	kind: "order",
	isOptional: !0
}, tv = {
	Primitive: {
		title: "Event",
		hint: "an event of a type",
		sign: "●",
		slots: [],
		fields: [
			{
				key: "type",
				label: "Type",
				kind: "text"
			},
			{
				key: "variable",
				label: "Called",
				kind: "text",
				isOptional: !0
			},
			{
				key: "site",
				label: "Site",
				kind: "text",
				isOptional: !0
			}
		]
	},
	Sequence: {
		title: "Followed by",
		hint: "each part after the one before",
		sign: "→",
		slots: Z_,
		fields: [ev],
		fresh: { order: "gap" }
	},
	Both: {
		title: "All of",
		hint: "all parts, in any order",
		sign: "∧",
		slots: Z_,
		fields: [],
		fresh: {}
	},
	Either: {
		title: "Any of",
		hint: "one of the parts",
		sign: "∨",
		slots: Z_,
		fields: [],
		fresh: {}
	},
	Absence: {
		title: "Without",
		hint: "first, then last, and nothing of the third between",
		sign: "⊘",
		slots: [
			{
				key: "first",
				label: "first"
			},
			{
				key: "last",
				label: "last"
			},
			{
				key: "without",
				label: "without"
			}
		],
		fields: [{
			key: "guard",
			label: "Only if",
			kind: "guard",
			isOptional: !0
		}, ev],
		fresh: { order: "gap" }
	},
	Never: {
		title: "Not",
		hint: "none of it, between the parts around it",
		sign: "¬",
		slots: X_(),
		fields: [],
		fresh: {}
	},
	Where: {
		title: "Where",
		hint: "only where a condition holds",
		sign: "?",
		slots: X_(),
		fields: [{
			key: "guard",
			label: "Condition",
			kind: "guard"
		}],
		fresh: { guard: {
			is: "guard",
			text: "true"
		} }
	},
	Within: {
		title: "Within",
		hint: "no longer than a span",
		sign: "≤",
		slots: X_(),
		fields: [Q_()],
		fresh: { period: $_("10 min") }
	},
	Streak: {
		title: "Times in a row",
		hint: "so many in a row, for example with the same value",
		sign: "≡",
		slots: X_(),
		fields: [
			{
				key: "count",
				label: "Times",
				kind: "number"
			},
			{
				key: "same",
				label: "With the same",
				kind: "list",
				isOptional: !0
			},
			{
				key: "different",
				label: "With different",
				kind: "text",
				isOptional: !0
			},
			{
				...Q_("Within"),
				isOptional: !0
			},
			{
				key: "once",
				label: "Once a burst",
				kind: "flag",
				isOptional: !0
			}
		],
		fresh: {
			count: 3,
			period: $_("10 min"),
			once: !0
		}
	},
	Times: {
		title: "Times",
		hint: "any so many, with equal or different values",
		sign: "#",
		slots: X_(),
		fields: [
			{
				key: "count",
				label: "Times",
				kind: "number"
			},
			{
				key: "attribute",
				label: "Attribute",
				kind: "text"
			},
			{
				key: "same",
				label: "Equal",
				kind: "flag"
			}
		],
		fresh: {
			count: 3,
			attribute: "id",
			same: !0
		}
	},
	Repeat: {
		title: "Repeated",
		hint: "one after the other, from least to most",
		sign: "↻",
		slots: X_(),
		fields: [
			{
				key: "least",
				label: "Least",
				kind: "number"
			},
			{
				key: "most",
				label: "Most",
				kind: "number"
			},
			{
				key: "same",
				label: "With the same",
				kind: "list",
				isOptional: !0
			}
		],
		fresh: {
			least: 2,
			most: 3
		}
	},
	By: {
		title: "By",
		hint: "all events have equal values",
		sign: "=",
		slots: X_(),
		fields: [{
			key: "attributes",
			label: "Attributes",
			kind: "list"
		}],
		fresh: { attributes: ["id"] }
	},
	After: {
		title: "Later",
		hint: "a span after it",
		sign: "+",
		slots: X_(),
		fields: [Q_(), {
			key: "instant",
			label: "Starts there, too",
			kind: "flag",
			isOptional: !0
		}],
		fresh: { period: $_("1 min") }
	},
	Accumulate: {
		title: "All before",
		hint: "the last, with each of the first before it",
		sign: "∑",
		slots: [{
			key: "each",
			label: "each"
		}, {
			key: "last",
			label: "last"
		}],
		fields: [],
		fresh: {}
	},
	Every: {
		title: "Every",
		hint: "again and again, by the clock",
		sign: "∞",
		slots: [],
		fields: [Q_()],
		fresh: { period: $_("1 hour") }
	},
	Named: {
		title: "Called",
		hint: "a name for what is inside",
		sign: "≔",
		slots: X_(),
		fields: [{
			key: "name",
			label: "Name",
			kind: "text"
		}]
	},
	Concurrent: {
		title: "At once",
		hint: "neither before the other",
		sign: "∥",
		slots: [{
			key: "left",
			label: "one"
		}, {
			key: "right",
			label: "other"
		}],
		fields: []
	},
	Instant: {
		title: "As one instant",
		hint: "as if it happened at its end",
		sign: "·",
		slots: X_(),
		fields: []
	},
	Between: {
		title: "Between times",
		hint: "from one instant to another",
		sign: "|·|",
		slots: X_(),
		fields: [{
			key: "start",
			label: "Start (µs)",
			kind: "number"
		}, {
			key: "stop",
			label: "Stop (µs)",
			kind: "number"
		}]
	},
	AnyEvent: {
		title: "Any event",
		hint: "of any declared type",
		sign: "*",
		slots: [],
		fields: []
	},
	At: {
		title: "At",
		hint: "at a time, or again and again",
		sign: "@",
		slots: [],
		fields: [{
			key: "point",
			label: "Time",
			kind: "point"
		}]
	},
	AtInstant: {
		title: "At instant",
		hint: "once",
		sign: "@",
		slots: [],
		fields: [{
			key: "instant",
			label: "Instant (µs)",
			kind: "number"
		}]
	},
	Atom: {
		title: "State",
		hint: "of a CORE automaton: change it as text",
		sign: "[ ]",
		slots: [],
		fields: []
	},
	Widened: {
		title: "Looks at",
		hint: "of a CORE automaton: change it as text",
		sign: "[ ]",
		slots: X_(),
		fields: []
	},
	Concatenation: {
		title: "Chain",
		hint: "of a CORE automaton",
		sign: "→",
		slots: Z_,
		fields: [{
			key: "strong",
			label: "Strong",
			kind: "flag"
		}]
	},
	Alternation: {
		title: "Branches",
		hint: "of a CORE automaton",
		sign: "∨",
		slots: Z_,
		fields: []
	},
	Iteration: {
		title: "Any number",
		hint: "of a CORE automaton",
		sign: "↻",
		slots: X_(),
		fields: []
	},
	Timing: {
		title: "Timer",
		hint: "of a CORE automaton",
		sign: "∞",
		slots: [{
			key: "first",
			label: "first"
		}, {
			key: "second",
			label: "second"
		}],
		fields: [{
			key: "timer",
			label: "Called",
			kind: "text"
		}]
	},
	Parallel: {
		title: "Beside",
		hint: "two automata",
		sign: "∥",
		slots: [{
			key: "left",
			label: "one"
		}, {
			key: "right",
			label: "other"
		}],
		fields: []
	},
	Automaton: {
		title: "Automaton",
		hint: "a CORE expression",
		sign: "◇",
		slots: X_(),
		fields: [{
			key: "run",
			label: "Run",
			kind: "text",
			isOptional: !0
		}]
	}
}, nv = Object.keys(tv).filter((e) => tv[e].fresh), rv = "rule", iv = {
	key: "pattern",
	label: "detected"
};
function av(e) {
	return e === "rule" ? [iv] : tv[e]?.slots ?? [];
}
function ov(e) {
	let t = {
		pieces: [{
			id: rv,
			is: rv,
			fields: {},
			x: 0,
			y: 0
		}],
		pipes: []
	}, n = 0;
	function r(e, i, a, o) {
		let s = `p${++n}`, c = {}, { is: l } = e, u = e;
		l === "Named" && sv(e.pattern) && (u = e.pattern, l = u.is, c.variable = e.name);
		let d = av(l);
		for (let [e, t] of Object.entries(u)) e !== "is" && !d.some((t) => t.key === e) && (c[e] = t);
		t.pieces.push({
			id: s,
			is: l,
			fields: c,
			x: 0,
			y: 0
		}), t.pipes.push({
			from: s,
			to: i,
			slot: a,
			place: o
		});
		for (let e of d) {
			let t = u[e.key];
			(e.takesMany ? t : [t]).forEach((t, n) => r(t, s, e.key, n));
		}
	}
	return e && r(e, rv, iv.key, 0), lv(t);
}
function sv(e) {
	return typeof e == "object" && !!e && e.is === "Primitive";
}
function cv(e) {
	let t = [], n = /* @__PURE__ */ new Set([rv]);
	function r(n, r) {
		let a = e.pipes.filter((e) => e.to === n && e.slot === r.key).sort((e, t) => e.place - t.place);
		return a.length < (r.takesMany ? 2 : 1) && t.push({
			piece: n,
			lacks: r.label
		}), a.map((e) => i(e.from)).filter((e) => e !== null);
	}
	function i(t) {
		let i = e.pieces.find((e) => e.id === t);
		if (!i || n.has(t)) return null;
		n.add(t);
		let { variable: a, ...o } = i.fields, s = {
			is: i.is,
			...o
		};
		for (let e of av(i.is)) {
			let n = r(t, e);
			s[e.key] = e.takesMany ? n : n[0];
		}
		return typeof a == "string" && a ? {
			is: "Named",
			name: a,
			pattern: s
		} : s;
	}
	let a = r(rv, iv)[0];
	for (let r of e.pieces) n.has(r.id) || t.push({
		piece: r.id,
		lacks: ""
	});
	return t.length || !a ? t : a;
}
function lv(e) {
	let t = /* @__PURE__ */ new Map(), n = /* @__PURE__ */ new Map(), r = 0;
	function i(a, o) {
		if (t.has(a)) return n.get(a) ?? 0;
		t.set(a, o);
		let s = uv(e, a).map((e) => i(e.from, o + 1)), c = s.length ? (s[0] + s[s.length - 1]) / 2 : r++ * 96;
		return n.set(a, c), c;
	}
	i(rv, 0);
	for (let n of e.pieces) !t.has(n.id) && !e.pipes.some((e) => e.from === n.id) && i(n.id, 1);
	let a = Math.max(...t.values());
	return {
		pieces: e.pieces.map((e) => ({
			...e,
			x: (a - (t.get(e.id) ?? 0)) * 215,
			y: n.get(e.id) ?? 0
		})),
		pipes: e.pipes
	};
}
function uv(e, t) {
	let n = av(e.pieces.find((e) => e.id === t)?.is ?? "").map((e) => e.key);
	return e.pipes.filter((e) => e.to === t).sort((e, t) => n.indexOf(e.slot) - n.indexOf(t.slot) || e.place - t.place);
}
function dv(e) {
	let t = e.pieces.length;
	for (; e.pieces.some((e) => e.id === `p${t}`);) t++;
	return `p${t}`;
}
function fv(e, t, n) {
	return t === n || e.pipes.filter((e) => e.from === n).some((n) => fv(e, t, n.to));
}
function pv(e, t, n, r) {
	if (fv(e, t, n)) return e;
	let i = av(e.pieces.find((e) => e.id === n)?.is ?? "").find((e) => e.key === r)?.takesMany ?? !1, a = e.pipes.filter((e) => e.from !== t && (i || e.to !== n || e.slot !== r)), o = a.filter((e) => e.to === n && e.slot === r).map((e) => e.place + 1);
	return {
		pieces: e.pieces,
		pipes: [...a, {
			from: t,
			to: n,
			slot: r,
			place: Math.max(0, ...o)
		}]
	};
}
function mv(e, t) {
	return {
		pieces: e.pieces,
		pipes: e.pipes.filter((e) => e.from !== t)
	};
}
function hv(e, t, n) {
	return {
		pipes: e.pipes,
		pieces: e.pieces.map((e) => e.id === t ? {
			...e,
			fields: n
		} : e)
	};
}
function gv(e, t) {
	if (t === "rule") return e;
	let n = e.pipes.find((e) => e.from === t), r = uv(e, t), i = e.pipes.filter((e) => e.from !== t && e.to !== t);
	return n && r.length === 1 && i.push({
		...n,
		from: r[0].from
	}), {
		pieces: e.pieces.filter((e) => e.id !== t),
		pipes: i
	};
}
function _v(e, t, n, r) {
	let i = dv(e), a = {
		pieces: [...e.pieces, {
			id: i,
			is: t,
			fields: n,
			x: 0,
			y: 0
		}],
		pipes: e.pipes
	}, o = e.pipes.find((e) => e.to === rv)?.from, s = e.pieces.find((e) => e.id === r && e.id !== "rule"), c = s && yv(e, s);
	if (s && c) return [lv(pv(a, i, s.id, c)), i];
	let l = av(t)[0], u = s?.id ?? o;
	if (!u) return [lv(pv(a, i, rv, iv.key)), i];
	if (l) return [lv(vv(a, u, i, l.key)), i];
	let d = e.pieces.find((e) => e.id === u && tv[e.is]?.slots[0]?.takesMany);
	if (d) return [lv(pv(a, i, d.id, "parts")), i];
	let f = dv(a);
	return [lv(pv(vv({
		pieces: [...a.pieces, {
			id: f,
			is: "Sequence",
			fields: { order: "gap" },
			x: 0,
			y: 0
		}],
		pipes: a.pipes
	}, u, f, "parts"), i, f, "parts")), i];
}
function vv(e, t, n, r) {
	let i = e.pipes.find((e) => e.from === t), a = e.pipes.filter((e) => e.from !== t);
	return i && a.push({
		...i,
		from: n
	}), pv({
		pieces: e.pieces,
		pipes: a
	}, t, n, r);
}
function yv(e, t) {
	for (let n of av(t.is)) {
		let r = e.pipes.filter((e) => e.to === t.id && e.slot === n.key).length;
		if (n.takesMany || !r) return n.key;
	}
	return null;
}
// src/lib/told.ts
function bv(e, t = "") {
	if (e.is === "rule") return t || "rule";
	if (e.is === "Primitive") {
		let { type: t, variable: n } = e.fields;
		return typeof n == "string" && n && n !== t ? `${n}: ${t}` : String(t ?? "");
	}
	return tv[e.is]?.title ?? e.is;
}
function xv(e, t) {
	return t == null || t === !1 || e.key === "variable" ? "" : t === !0 ? "yes" : Array.isArray(t) ? t.join(", ") : String(typeof t == "object" ? t.text ?? "" : t);
}
function Sv(e, t) {
	let n = t.trim();
	if (e.kind === "list") return n ? n.split(",").map((e) => e.trim()).filter(Boolean) : e.isOptional ? void 0 : [];
	if (n || !e.isOptional) return e.kind === "number" ? Number.parseInt(n, 10) || 0 : e.kind === "period" || e.kind === "guard" || e.kind === "point" ? {
		is: e.kind,
		text: n
	} : n;
}
// src/parts/PieceNode.svelte
var Cv = /* @__PURE__ */ B("<div class=\"line svelte-ffgffm\"><span class=\"svelte-ffgffm\"> </span> <code> </code></div>"), wv = /* @__PURE__ */ B("<div class=\"slots svelte-ffgffm\"> </div>"), Tv = /* @__PURE__ */ B("<div><!> <strong class=\"svelte-ffgffm\"><span aria-hidden=\"true\" class=\"sign svelte-ffgffm\"> </span> </strong> <!> <!> <!></div>"), Ev = {
	hash: "svelte-ffgffm",
	code: ".piece.svelte-ffgffm {background:var(--panel);color:var(--text);border:2px solid var(--water);border-radius:12px;padding:0.45rem 0.8rem;min-width:120px;max-width:190px;font-size:13px;box-shadow:var(--shadow);text-align:left;}.event.svelte-ffgffm {border-radius:22px;background:var(--accent-soft);}.rule.svelte-ffgffm {border-color:var(--accent);background:var(--accent);color:var(--accent-ink);min-width:90px;}.selected.svelte-ffgffm {outline:3px solid var(--focus);outline-offset:2px;}.lacks.svelte-ffgffm {border-style:dashed;border-color:var(--critical);}strong.svelte-ffgffm {overflow-wrap:anywhere;}.sign.svelte-ffgffm {display:inline-block;min-width:1em;}.line.svelte-ffgffm, .slots.svelte-ffgffm {font-size:11px;overflow-wrap:anywhere;}.line.svelte-ffgffm span:where(.svelte-ffgffm) {opacity:0.8;}.piece.svelte-ffgffm .svelte-flow__handle {width:12px;height:12px;background:var(--water);border:2px solid var(--panel);}"
};
function Dv(e, t) {
	D(t, !0), Pi(e, Ev);
	let n = /* @__PURE__ */ k(() => t.data.piece), r = /* @__PURE__ */ k(() => t.data.lacks ?? []), i = /* @__PURE__ */ k(() => tv[R(n).is]), a = /* @__PURE__ */ k(() => av(R(n).is)), o = /* @__PURE__ */ k(() => (R(i)?.fields ?? []).map((e) => [e, xv(e, R(n).fields[e.key])]).filter(([e, t]) => t && e.key !== "type" && e.kind !== "order"));
	var s = Tv();
	let c;
	var l = N(s);
	Ei(l, 19, () => R(a), (e) => e.key, (e, t, n) => {
		{
			let r = /* @__PURE__ */ k(() => (R(n) + .5) / R(a).length * 100);
			jh(e, {
				type: "target",
				get id() {
					return R(t).key;
				},
				get position() {
					return q.Left;
				},
				get style() {
					return `top: ${R(r) ?? ""}%`;
				},
				isConnectable: !0
			});
		}
	});
	var u = I(l, 2), d = N(u), f = F(d, !0), p = I(d);
	E(u);
	var m = I(u, 2);
	Ei(m, 17, () => R(o), ([e, t]) => e.key, (e, t) => {
		var n = /* @__PURE__ */ k(() => v(R(t), 2));
		let r = () => R(n)[0], i = () => R(n)[1];
		var a = Cv(), o = N(a), s = F(o, !0), c = F(I(o, 2), !0);
		E(a), L(() => {
			H(s, r().label), H(c, i());
		}), V(e, a);
	});
	var h = I(m, 2), g = (e) => {
		var t = wv(), n = F(t, !0);
		L((e) => H(n, e), [() => R(a).map((e) => e.label).join(" · ")]), V(e, t);
	};
	U(h, (e) => {
		R(a).length > 1 && e(g);
	});
	var _ = I(h, 2), y = (e) => {
		jh(e, {
			type: "source",
			get position() {
				return q.Right;
			}
		});
	};
	U(_, (e) => {
		R(n).is !== "rule" && e(y);
	}), E(s), L((e) => {
		c = Gi(s, 1, "piece svelte-ffgffm", null, c, {
			rule: R(n).is === rv,
			event: R(n).is === "Primitive",
			selected: t.selected,
			lacks: R(r).length > 0
		}), H(f, R(n).is === "rule" ? "★" : R(i)?.sign), H(p, ` ${e ?? ""}`);
	}, [() => bv(R(n), t.data.name)]), V(e, s), O();
}
// src/parts/Canvas.svelte
var Ov = /* @__PURE__ */ B("<!> <!>", 1), kv = /* @__PURE__ */ B("<div class=\"canvas svelte-1bj1bc8\"><!></div>"), Av = {
	hash: "svelte-1bj1bc8",
	code: ".canvas.svelte-1bj1bc8 {height:clamp(18rem, 42vh, 34rem);border:1px solid var(--line);border-radius:10px;overflow:hidden;}.canvas.svelte-1bj1bc8 .svelte-flow {--xy-background-color: var(--sunk);}.canvas.svelte-1bj1bc8 .pipe path.svelte-flow__edge-path {stroke:var(--water);stroke-width:5;stroke-linecap:round;}.canvas.svelte-1bj1bc8 .pipe.animated path.svelte-flow__edge-path {stroke-dasharray:14 6;}.canvas.svelte-1bj1bc8 .svelte-flow__controls-button {background:var(--panel);color:var(--text);border-color:var(--line);}.canvas.svelte-1bj1bc8 .svelte-flow__attribution {background:var(--panel);}.canvas.svelte-1bj1bc8 .svelte-flow__attribution a {color:var(--soft);}"
};
function jv(e, t) {
	D(t, !0), Pi(e, Av);
	let n = G(t, "composer", 7), r = { piece: Dv }, i = a_(), a = matchMedia("(prefers-reduced-motion: reduce)").matches, o = /* @__PURE__ */ j([]), s = /* @__PURE__ */ j([]);
	Pn(() => {
		let { pieces: e, pipes: t } = n().drawing;
		M(o, e.map((e) => ({
			id: e.id,
			type: "piece",
			position: {
				x: e.x,
				y: e.y
			},
			deletable: e.id !== rv,
			selected: n().selected === e.id,
			data: {
				piece: e,
				name: n().document.name,
				lacks: n().incomplete.filter((t) => t.piece === e.id).map((e) => e.lacks)
			},
			ariaLabel: bv(e, n().document.name)
		}))), M(s, t.map((e) => ({
			id: `${e.from}-${e.to}-${e.slot}`,
			source: e.from,
			target: e.to,
			targetHandle: e.slot,
			type: "default",
			class: "pipe",
			animated: !a
		})));
	}), Pn(() => {
		n().layouts;
		let e = setTimeout(() => void i.fitView({
			padding: .15,
			maxZoom: 1,
			duration: 0
		}), 60);
		return () => clearTimeout(e);
	});
	function c(e) {
		n().setDrawing(pv(n().drawing, e.source, e.target, e.targetHandle ?? "pattern"));
	}
	function l({ nodes: e, edges: t }) {
		let r = n().drawing;
		for (let t of e) r = gv(r, t.id);
		e.length || (r = {
			...r,
			pipes: r.pipes.filter((e) => !t.some((t) => t.source === e.from && t.target === e.to))
		}), n().setDrawing(r);
	}
	var u = kv(), d = N(u);
	{
		let e = /* @__PURE__ */ k(() => so.isDark ? "dark" : "light"), t = /* @__PURE__ */ k(() => ({ "node.a11yDescription.default": K.compose.noPiece }));
		C_(d, {
			get nodeTypes() {
				return r;
			},
			get colorMode() {
				return R(e);
			},
			fitView: !0,
			fitViewOptions: {
				maxZoom: 1,
				padding: .15
			},
			minZoom: .2,
			onconnect: c,
			ondelete: l,
			deleteKey: ["Delete", "Backspace"],
			attributionPosition: "bottom-left",
			zoomOnScroll: !1,
			preventScrolling: !1,
			isValidConnection: (e) => !fv(n().drawing, e.source, e.target),
			onnodeclick: ({ node: e }) => n().selected = e.id,
			onpaneclick: () => n().selected = null,
			onnodedragstop: ({ nodes: e }) => n().move(new Map(e.map((e) => [e.id, e.position]))),
			onselectionchange: ({ nodes: e }) => e.length === 1 && (n().selected = e[0].id),
			get ariaLabelConfig() {
				return R(t);
			},
			get nodes() {
				return R(o);
			},
			set nodes(e) {
				M(o, e);
			},
			get edges() {
				return R(s);
			},
			set edges(e) {
				M(s, e);
			},
			children: (e, t) => {
				var n = Ov(), r = P(n);
				Y_(r, {}), V_(I(r, 2), { showLock: !1 }), V(e, n);
			},
			$$slots: { default: !0 }
		});
	}
	E(u), V(e, u), O();
}
// node_modules/@marijn/find-cluster-break/src/index.js
var Mv = [], Nv = [];
(() => {
	let e = "lc,34,7n,7,7b,19,,,,2,,2,,,20,b,1c,l,g,,2t,7,2,6,2,2,,4,z,,u,r,2j,b,1m,9,9,,o,4,,9,,3,,5,17,3,1n,9,16,o,,x,1i,3,,i,,7,a,2,t,3,1k,,,7,2,2,2,3,9,,a,2,q,,2,3,1k,,,5,4,2,2,3,3,,u,2,3,,b,3,1k,,,8,,3,,3,k,2,m,6,,3,1k,,,7,2,2,2,3,7,3,a,2,u,,1n,5,3,3,,4,9,,14,5,1j,,,7,,3,,4,7,2,b,2,t,3,1k,,,7,,3,,4,7,2,b,2,f,,c,4,1j,2,,7,,3,,4,9,,a,2,t,3,1y,,4,6,,,,8,i,2,1p,,,8,c,8,2q,,,a,b,7,21,2,r,,,,,,4,2,1d,k,,2,5,b,,10,9,,2u,b,,6,n,4,4,3,g,4,d,,,3,6,,f,,jj,3,qa,4,s,3,t,2,u,2,1s,w,9,,19,3,,,39,2,y,,3a,c,4,c,63,5,1l,a,,,,,2,o,2,,1c,1a,2,c,k,5,1b,h,12,9,c,3,u,d,1k,e,1c,k,48,3,,l,4,,6,,2,3,5i,1s,ek,,5f,x,2da,3,3x,,2o,w,fe,6,2x,2,n9w,4,,a,w,2,28,2,7k,,3,,4,,n,5,4,,2b,2,1e,i,q,i,d,,12,8,p,d,18,4,1b,e,10,,1v,e,c,,8,2,1a,,1f,,,3,2,2,5,2,,,15,5,5,2,6k,8,,2,fn4,,kh,g,g,g,a6,2,gt,,6a,,45,5,1ae,3,,2,5,4,14,3,4,,4l,2,fx,4,1t,5,8t,2,25,6,1y,b,1d,4,3e,3,1h,f,15,,2,2,a,4,19,b,7,,1p,3,10,e,g,2,18,,c,3,1c,e,8,4,,2,2k,c,6,,2,,4d,c,l,4,1j,2,,7,2,2,2,3,9,,a,2,2,7,3,5,1v,9,,,2,,,4,,5,,,e,2,2a,i,n,,29,k,6j,7,2,9,r,2,2a,h,2y,d,2t,3,2,a,74,f,6t,6,,2,2,4,,,,2,3x,7,2,7,3,,s,a,14,7,,4,8,,9,b,1a,g,5i,8,5j,8,,8,2a,m,,e,3e,6,3,,,2,,7,,,1u,5,,2,,5,9n,4,9,2,,,1c,7,3,5,n,,44l,,6,f,8ug,i,1xc,5,1n,7,t4,,,1j,7,4,29,,b,2,f57,2,3mp,1a,2,n,f2,5,3,6,8,8,2,7,u,4,44,3,1iz,1j,4,1e,8,,e,,m,5,,f,11s,7,,h,2,7,,2,,5,2s,,4g,7,af,,1p,4,e4,4,72,2,6r,,2,,7,2,5,,d6,7,31,7,240,5".split(",").map((e) => e ? parseInt(e, 36) : 1);
	for (let t = 0, n = 0; t < e.length; t++) (t % 2 ? Nv : Mv).push(n += e[t]);
})();
function Pv(e) {
	if (e < 768) return !1;
	for (let t = 0, n = Mv.length;;) {
		let r = t + n >> 1;
		if (e < Mv[r]) n = r;
		else if (e >= Nv[r]) t = r + 1;
		else return !0;
		if (t == n) return !1;
	}
}
function Fv(e) {
	return e >= 127462 && e <= 127487;
}
var Iv = 8205;
function Lv(e, t, n = !0, r = !0) {
	return (n ? Rv : zv)(e, t, r);
}
function Rv(e, t, n) {
	if (t == e.length) return t;
	t && Vv(e.charCodeAt(t)) && Hv(e.charCodeAt(t - 1)) && t--;
	let r = Bv(e, t);
	for (t += Uv(r); t < e.length;) {
		let i = Bv(e, t);
		if (r == Iv || i == Iv || n && Pv(i)) t += Uv(i), r = i;
		else if (Fv(i)) {
			let n = 0, r = t - 2;
			for (; r >= 0 && Fv(Bv(e, r));) n++, r -= 2;
			if (n % 2 == 0) break;
			t += 2;
		} else break;
	}
	return t;
}
function zv(e, t, n) {
	for (; t > 1;) {
		let r = Rv(e, t - 2, n);
		if (r < t) return r;
		t--;
	}
	return 0;
}
function Bv(e, t) {
	let n = e.charCodeAt(t);
	if (!Hv(n) || t + 1 == e.length) return n;
	let r = e.charCodeAt(t + 1);
	return Vv(r) ? (n - 55296 << 10) + (r - 56320) + 65536 : n;
}
function Vv(e) {
	return e >= 56320 && e < 57344;
}
function Hv(e) {
	return e >= 55296 && e < 56320;
}
function Uv(e) {
	return e < 65536 ? 1 : 2;
}
// node_modules/@codemirror/state/dist/index.js
var Wv = class e {
	lineAt(e) {
		if (e < 0 || e > this.length) throw RangeError(`Invalid position ${e} in document of length ${this.length}`);
		return this.lineInner(e, !1, 1, 0);
	}
	line(e) {
		if (e < 1 || e > this.lines) throw RangeError(`Invalid line number ${e} in ${this.lines}-line document`);
		return this.lineInner(e, !0, 1, 0);
	}
	replace(e, t, n) {
		[e, t] = ey(this, e, t);
		let r = [];
		return this.decompose(0, e, r, 2), n.length && n.decompose(0, n.length, r, 3), this.decompose(t, this.length, r, 1), Kv.from(r, this.length - (t - e) + n.length);
	}
	append(e) {
		return this.replace(this.length, this.length, e);
	}
	slice(e, t = this.length) {
		[e, t] = ey(this, e, t);
		let n = [];
		return this.decompose(e, t, n, 0), Kv.from(n, t - e);
	}
	eq(e) {
		if (e == this) return !0;
		if (e.length != this.length || e.lines != this.lines) return !1;
		let t = this.scanIdentical(e, 1), n = this.length - this.scanIdentical(e, -1), r = new Xv(this), i = new Xv(e);
		for (let e = t, a = t;;) {
			if (r.next(e), i.next(e), e = 0, r.lineBreak != i.lineBreak || r.done != i.done || r.value != i.value) return !1;
			if (a += r.value.length, r.done || a >= n) return !0;
		}
	}
	iter(e = 1) {
		return new Xv(this, e);
	}
	iterRange(e, t = this.length) {
		return new Zv(this, e, t);
	}
	iterLines(e, t) {
		let n;
		if (e == null) n = this.iter();
		else {
			t ??= this.lines + 1;
			let r = this.line(e).from;
			n = this.iterRange(r, Math.max(r, t == this.lines + 1 ? this.length : t <= 1 ? 0 : this.line(t - 1).to));
		}
		return new Qv(n);
	}
	toString() {
		return this.sliceString(0);
	}
	toJSON() {
		let e = [];
		return this.flatten(e), e;
	}
	constructor() {}
	static of(t) {
		if (t.length == 0) throw RangeError("A document must have at least one line");
		return t.length == 1 && !t[0] ? e.empty : t.length <= 32 ? new Gv(t) : Kv.from(Gv.split(t, []));
	}
}, Gv = class e extends Wv {
	constructor(e, t = qv(e)) {
		super(), this.text = e, this.length = t;
	}
	get lines() {
		return this.text.length;
	}
	get children() {
		return null;
	}
	lineInner(e, t, n, r) {
		for (let i = 0;; i++) {
			let a = this.text[i], o = r + a.length;
			if ((t ? n : o) >= e) return new $v(r, o, n, a);
			r = o + 1, n++;
		}
	}
	decompose(t, n, r, i) {
		let a = t <= 0 && n >= this.length ? this : new e(Yv(this.text, t, n), Math.min(n, this.length) - Math.max(0, t));
		if (i & 1) {
			let t = r.pop(), n = Jv(a.text, t.text.slice(), 0, a.length);
			if (n.length <= 32) r.push(new e(n, t.length + a.length));
			else {
				let t = n.length >> 1;
				r.push(new e(n.slice(0, t)), new e(n.slice(t)));
			}
		} else r.push(a);
	}
	replace(t, n, r) {
		if (!(r instanceof e)) return super.replace(t, n, r);
		[t, n] = ey(this, t, n);
		let i = Jv(this.text, Jv(r.text, Yv(this.text, 0, t)), n), a = this.length + r.length - (n - t);
		return i.length <= 32 ? new e(i, a) : Kv.from(e.split(i, []), a);
	}
	sliceString(e, t = this.length, n = "\n") {
		[e, t] = ey(this, e, t);
		let r = "";
		for (let i = 0, a = 0; i <= t && a < this.text.length; a++) {
			let o = this.text[a], s = i + o.length;
			i > e && a && (r += n), e < s && t > i && (r += o.slice(Math.max(0, e - i), t - i)), i = s + 1;
		}
		return r;
	}
	flatten(e) {
		for (let t of this.text) e.push(t);
	}
	scanIdentical() {
		return 0;
	}
	static split(t, n) {
		let r = [], i = -1;
		for (let a of t) r.push(a), i += a.length + 1, r.length == 32 && (n.push(new e(r, i)), r = [], i = -1);
		return i > -1 && n.push(new e(r, i)), n;
	}
}, Kv = class e extends Wv {
	constructor(e, t) {
		super(), this.children = e, this.length = t, this.lines = 0;
		for (let t of e) this.lines += t.lines;
	}
	lineInner(e, t, n, r) {
		for (let i = 0;; i++) {
			let a = this.children[i], o = r + a.length, s = n + a.lines - 1;
			if ((t ? s : o) >= e) return a.lineInner(e, t, n, r);
			r = o + 1, n = s + 1;
		}
	}
	decompose(e, t, n, r) {
		for (let i = 0, a = 0; a <= t && i < this.children.length; i++) {
			let o = this.children[i], s = a + o.length;
			if (e <= s && t >= a) {
				let i = r & (a <= e | (s >= t ? 2 : 0));
				a >= e && s <= t && !i ? n.push(o) : o.decompose(e - a, t - a, n, i);
			}
			a = s + 1;
		}
	}
	replace(t, n, r) {
		if ([t, n] = ey(this, t, n), r.lines < this.lines) for (let i = 0, a = 0; i < this.children.length; i++) {
			let o = this.children[i], s = a + o.length;
			if (t >= a && n <= s) {
				let c = o.replace(t - a, n - a, r), l = this.lines - o.lines + c.lines;
				if (c.lines < l >> 4 && c.lines > l >> 6) {
					let a = this.children.slice();
					return a[i] = c, new e(a, this.length - (n - t) + r.length);
				}
				return super.replace(a, s, c);
			}
			a = s + 1;
		}
		return super.replace(t, n, r);
	}
	sliceString(e, t = this.length, n = "\n") {
		[e, t] = ey(this, e, t);
		let r = "";
		for (let i = 0, a = 0; i < this.children.length && a <= t; i++) {
			let o = this.children[i], s = a + o.length;
			a > e && i && (r += n), e < s && t > a && (r += o.sliceString(e - a, t - a, n)), a = s + 1;
		}
		return r;
	}
	flatten(e) {
		for (let t of this.children) t.flatten(e);
	}
	scanIdentical(t, n) {
		if (!(t instanceof e)) return 0;
		let r = 0, [i, a, o, s] = n > 0 ? [
			0,
			0,
			this.children.length,
			t.children.length
		] : [
			this.children.length - 1,
			t.children.length - 1,
			-1,
			-1
		];
		for (;; i += n, a += n) {
			if (i == o || a == s) return r;
			let e = this.children[i], c = t.children[a];
			if (e != c) return r + e.scanIdentical(c, n);
			r += e.length + 1;
		}
	}
	static from(t, n = t.reduce((e, t) => e + t.length + 1, -1)) {
		let r = 0;
		for (let e of t) r += e.lines;
		if (r < 32) {
			let e = [];
			for (let n of t) n.flatten(e);
			return new Gv(e, n);
		}
		let i = Math.max(32, r >> 5), a = i << 1, o = i >> 1, s = [], c = 0, l = -1, u = [];
		function d(t) {
			let n;
			if (t.lines > a && t instanceof e) for (let e of t.children) d(e);
			else t.lines > o && (c > o || !c) ? (f(), s.push(t)) : t instanceof Gv && c && (n = u[u.length - 1]) instanceof Gv && t.lines + n.lines <= 32 ? (c += t.lines, l += t.length + 1, u[u.length - 1] = new Gv(n.text.concat(t.text), n.length + 1 + t.length)) : (c + t.lines > i && f(), c += t.lines, l += t.length + 1, u.push(t));
		}
		function f() {
			c != 0 && (s.push(u.length == 1 ? u[0] : e.from(u, l)), l = -1, c = u.length = 0);
		}
		for (let e of t) d(e);
		return f(), s.length == 1 ? s[0] : new e(s, n);
	}
};
Wv.empty = /*@__PURE__*/ new Gv([""], 0);
function qv(e) {
	let t = -1;
	for (let n of e) t += n.length + 1;
	return t;
}
function Jv(e, t, n = 0, r = 1e9) {
	for (let i = 0, a = 0, o = !0; a < e.length && i <= r; a++) {
		let s = e[a], c = i + s.length;
		c >= n && (c > r && (s = s.slice(0, r - i)), i < n && (s = s.slice(n - i)), o ? (t[t.length - 1] += s, o = !1) : t.push(s)), i = c + 1;
	}
	return t;
}
function Yv(e, t, n) {
	return Jv(e, [""], t, n);
}
var Xv = class {
	constructor(e, t = 1) {
		this.dir = t, this.done = !1, this.lineBreak = !1, this.value = "", this.nodes = [e], this.offsets = [t > 0 ? 1 : (e instanceof Gv ? e.text.length : e.children.length) << 1];
	}
	nextInner(e, t) {
		for (this.done = this.lineBreak = !1;;) {
			let n = this.nodes.length - 1, r = this.nodes[n], i = this.offsets[n], a = i >> 1, o = r instanceof Gv ? r.text.length : r.children.length;
			if (a == (t > 0 ? o : 0)) {
				if (n == 0) return this.done = !0, this.value = "", this;
				t > 0 && this.offsets[n - 1]++, this.nodes.pop(), this.offsets.pop();
			} else if ((i & 1) == (t > 0 ? 0 : 1)) {
				if (this.offsets[n] += t, e == 0) return this.lineBreak = !0, this.value = "\n", this;
				e--;
			} else if (r instanceof Gv) {
				let i = r.text[a + (t < 0 ? -1 : 0)];
				if (this.offsets[n] += t, i.length > Math.max(0, e)) return this.value = e == 0 ? i : t > 0 ? i.slice(e) : i.slice(0, i.length - e), this;
				e -= i.length;
			} else {
				let i = r.children[a + (t < 0 ? -1 : 0)];
				e > i.length ? (e -= i.length, this.offsets[n] += t) : (t < 0 && this.offsets[n]--, this.nodes.push(i), this.offsets.push(t > 0 ? 1 : (i instanceof Gv ? i.text.length : i.children.length) << 1));
			}
		}
	}
	next(e = 0) {
		return e < 0 && (this.nextInner(-e, -this.dir), e = this.value.length), this.nextInner(e, this.dir);
	}
}, Zv = class {
	constructor(e, t, n) {
		this.value = "", this.done = !1, this.cursor = new Xv(e, t > n ? -1 : 1), this.pos = t > n ? e.length : 0, this.from = Math.min(t, n), this.to = Math.max(t, n);
	}
	nextInner(e, t) {
		if (t < 0 ? this.pos <= this.from : this.pos >= this.to) return this.value = "", this.done = !0, this;
		e += Math.max(0, t < 0 ? this.pos - this.to : this.from - this.pos);
		let n = t < 0 ? this.pos - this.from : this.to - this.pos;
		e > n && (e = n), n -= e;
		let { value: r } = this.cursor.next(e);
		return this.pos += (r.length + e) * t, this.value = r.length <= n ? r : t < 0 ? r.slice(r.length - n) : r.slice(0, n), this.done = !this.value, this;
	}
	next(e = 0) {
		return e < 0 ? e = Math.max(e, this.from - this.pos) : e > 0 && (e = Math.min(e, this.to - this.pos)), this.nextInner(e, this.cursor.dir);
	}
	get lineBreak() {
		return this.cursor.lineBreak && this.value != "";
	}
}, Qv = class {
	constructor(e) {
		this.inner = e, this.afterBreak = !0, this.value = "", this.done = !1;
	}
	next(e = 0) {
		let { done: t, lineBreak: n, value: r } = this.inner.next(e);
		return t && this.afterBreak ? (this.value = "", this.afterBreak = !1) : t ? (this.done = !0, this.value = "") : n ? this.afterBreak ? this.value = "" : (this.afterBreak = !0, this.next()) : (this.value = r, this.afterBreak = !1), this;
	}
	get lineBreak() {
		return !1;
	}
};
typeof Symbol < "u" && (Wv.prototype[Symbol.iterator] = function() {
	return this.iter();
}, Xv.prototype[Symbol.iterator] = Zv.prototype[Symbol.iterator] = Qv.prototype[Symbol.iterator] = function() {
	return this;
});
var $v = class {
	constructor(e, t, n, r) {
		this.from = e, this.to = t, this.number = n, this.text = r;
	}
	get length() {
		return this.to - this.from;
	}
};
function ey(e, t, n) {
	return t = Math.max(0, Math.min(e.length, t)), [t, Math.max(t, Math.min(e.length, n))];
}
function ty(e, t, n = !0, r = !0) {
	return Lv(e, t, n, r);
}
function ny(e) {
	return e >= 56320 && e < 57344;
}
function ry(e) {
	return e >= 55296 && e < 56320;
}
function iy(e, t) {
	let n = e.charCodeAt(t);
	if (!ry(n) || t + 1 == e.length) return n;
	let r = e.charCodeAt(t + 1);
	return ny(r) ? (n - 55296 << 10) + (r - 56320) + 65536 : n;
}
function ay(e) {
	return e <= 65535 ? String.fromCharCode(e) : (e -= 65536, String.fromCharCode((e >> 10) + 55296, (e & 1023) + 56320));
}
function oy(e) {
	return e < 65536 ? 1 : 2;
}
var sy = /\r\n?|\n/, cy = /*@__PURE__*/ (function(e) {
	return e[e.Simple = 0] = "Simple", e[e.TrackDel = 1] = "TrackDel", e[e.TrackBefore = 2] = "TrackBefore", e[e.TrackAfter = 3] = "TrackAfter", e;
})(cy ||= {}), ly = class e {
	constructor(e) {
		this.sections = e;
	}
	get length() {
		let e = 0;
		for (let t = 0; t < this.sections.length; t += 2) e += this.sections[t];
		return e;
	}
	get newLength() {
		let e = 0;
		for (let t = 0; t < this.sections.length; t += 2) {
			let n = this.sections[t + 1];
			e += n < 0 ? this.sections[t] : n;
		}
		return e;
	}
	get empty() {
		return this.sections.length == 0 || this.sections.length == 2 && this.sections[1] < 0;
	}
	iterGaps(e) {
		for (let t = 0, n = 0, r = 0; t < this.sections.length;) {
			let i = this.sections[t++], a = this.sections[t++];
			a < 0 ? (e(n, r, i), r += i) : r += a, n += i;
		}
	}
	iterChangedRanges(e, t = !1) {
		py(this, e, t);
	}
	get invertedDesc() {
		let t = [];
		for (let e = 0; e < this.sections.length;) {
			let n = this.sections[e++], r = this.sections[e++];
			r < 0 ? t.push(n, r) : t.push(r, n);
		}
		return new e(t);
	}
	composeDesc(e) {
		return this.empty ? e : e.empty ? this : hy(this, e);
	}
	mapDesc(e, t = !1) {
		return e.empty ? this : my(this, e, t);
	}
	mapPos(e, t = -1, n = cy.Simple) {
		let r = 0, i = 0;
		for (let a = 0; a < this.sections.length;) {
			let o = this.sections[a++], s = this.sections[a++], c = r + o;
			if (s < 0) {
				if (c > e) return i + (e - r);
				i += o;
			} else {
				if (n != cy.Simple && c >= e && (n == cy.TrackDel && r < e && c > e || n == cy.TrackBefore && r < e || n == cy.TrackAfter && c > e)) return null;
				if (c > e || c == e && t < 0 && !o) return e == r || t < 0 ? i : i + s;
				i += s;
			}
			r = c;
		}
		if (e > r) throw RangeError(`Position ${e} is out of range for changeset of length ${r}`);
		return i;
	}
	touchesRange(e, t = e) {
		for (let n = 0, r = 0; n < this.sections.length && r <= t;) {
			let i = this.sections[n++], a = this.sections[n++], o = r + i;
			if (a >= 0 && r <= t && o >= e) return r < e && o > t ? "cover" : !0;
			r = o;
		}
		return !1;
	}
	toString() {
		let e = "";
		for (let t = 0; t < this.sections.length;) {
			let n = this.sections[t++], r = this.sections[t++];
			e += (e ? " " : "") + n + (r >= 0 ? ":" + r : "");
		}
		return e;
	}
	toJSON() {
		return this.sections;
	}
	static fromJSON(t) {
		if (!Array.isArray(t) || t.length % 2 || t.some((e) => typeof e != "number")) throw RangeError("Invalid JSON representation of ChangeDesc");
		return new e(t);
	}
	static create(t) {
		return new e(t);
	}
}, uy = class e extends ly {
	constructor(e, t) {
		super(e), this.inserted = t;
	}
	apply(e) {
		if (this.length != e.length) throw RangeError("Applying change set to a document with the wrong length");
		return py(this, (t, n, r, i, a) => e = e.replace(r, r + (n - t), a), !1), e;
	}
	mapDesc(e, t = !1) {
		return my(this, e, t, !0);
	}
	invert(t) {
		let n = this.sections.slice(), r = [];
		for (let e = 0, i = 0; e < n.length; e += 2) {
			let a = n[e], o = n[e + 1];
			if (o >= 0) {
				n[e] = o, n[e + 1] = a;
				let s = e >> 1;
				for (; r.length < s;) r.push(Wv.empty);
				r.push(a ? t.slice(i, i + a) : Wv.empty);
			}
			i += a;
		}
		return new e(n, r);
	}
	compose(e) {
		return this.empty ? e : e.empty ? this : hy(this, e, !0);
	}
	map(e, t = !1) {
		return e.empty ? this : my(this, e, t, !0);
	}
	iterChanges(e, t = !1) {
		py(this, e, t);
	}
	get desc() {
		return ly.create(this.sections);
	}
	filter(t) {
		let n = [], r = [], i = [], a = new gy(this);
		done: for (let e = 0, o = 0;;) {
			let s = e == t.length ? 1e9 : t[e++];
			for (; o < s || o == s && a.len == 0;) {
				if (a.done) break done;
				let e = Math.min(a.len, s - o);
				dy(i, e, -1);
				let t = a.ins == -1 ? -1 : a.off == 0 ? a.ins : 0;
				dy(n, e, t), t > 0 && fy(r, n, a.text), a.forward(e), o += e;
			}
			let c = t[e++];
			for (; o < c;) {
				if (a.done) break done;
				let e = Math.min(a.len, c - o);
				dy(n, e, -1), dy(i, e, a.ins == -1 ? -1 : a.off == 0 ? a.ins : 0), a.forward(e), o += e;
			}
		}
		return {
			changes: new e(n, r),
			filtered: ly.create(i)
		};
	}
	toJSON() {
		let e = [];
		for (let t = 0; t < this.sections.length; t += 2) {
			let n = this.sections[t], r = this.sections[t + 1];
			r < 0 ? e.push(n) : r == 0 ? e.push([n]) : e.push([n].concat(this.inserted[t >> 1].toJSON()));
		}
		return e;
	}
	static of(t, n, r) {
		let i = [], a = [], o = 0, s = null;
		function c(t = !1) {
			if (!t && !i.length) return;
			o < n && dy(i, n - o, -1);
			let r = new e(i, a);
			s = s ? s.compose(r.map(s)) : r, i = [], a = [], o = 0;
		}
		function l(t) {
			if (Array.isArray(t)) for (let e of t) l(e);
			else if (t instanceof e) {
				if (t.length != n) throw RangeError(`Mismatched change set length (got ${t.length}, expected ${n})`);
				c(), s = s ? s.compose(t.map(s)) : t;
			} else {
				let { from: e, to: s = e, insert: l } = t;
				if (e > s || e < 0 || s > n) throw RangeError(`Invalid change range ${e} to ${s} (in doc of length ${n})`);
				let u = l ? typeof l == "string" ? Wv.of(l.split(r || sy)) : l : Wv.empty, d = u.length;
				if (e == s && d == 0) return;
				e < o && c(), e > o && dy(i, e - o, -1), dy(i, s - e, d), fy(a, i, u), o = s;
			}
		}
		return l(t), c(!s), s;
	}
	static empty(t) {
		return new e(t ? [t, -1] : [], []);
	}
	static fromJSON(t) {
		if (!Array.isArray(t)) throw RangeError("Invalid JSON representation of ChangeSet");
		let n = [], r = [];
		for (let e = 0; e < t.length; e++) {
			let i = t[e];
			if (typeof i == "number") n.push(i, -1);
			else if (!Array.isArray(i) || typeof i[0] != "number" || i.some((e, t) => t && typeof e != "string")) throw RangeError("Invalid JSON representation of ChangeSet");
			else if (i.length == 1) n.push(i[0], 0);
			else {
				for (; r.length < e;) r.push(Wv.empty);
				r[e] = Wv.of(i.slice(1)), n.push(i[0], r[e].length);
			}
		}
		return new e(n, r);
	}
	static createSet(t, n) {
		return new e(t, n);
	}
};
function dy(e, t, n, r = !1) {
	if (t == 0 && n <= 0) return;
	let i = e.length - 2;
	i >= 0 && n <= 0 && n == e[i + 1] ? e[i] += t : i >= 0 && t == 0 && e[i] == 0 ? e[i + 1] += n : r ? (e[i] += t, e[i + 1] += n) : e.push(t, n);
}
function fy(e, t, n) {
	if (n.length == 0) return;
	let r = t.length - 2 >> 1;
	if (r < e.length) e[e.length - 1] = e[e.length - 1].append(n);
	else {
		for (; e.length < r;) e.push(Wv.empty);
		e.push(n);
	}
}
function py(e, t, n) {
	let r = e.inserted;
	for (let i = 0, a = 0, o = 0; o < e.sections.length;) {
		let s = e.sections[o++], c = e.sections[o++];
		if (c < 0) i += s, a += s;
		else {
			let l = i, u = a, d = Wv.empty;
			for (; l += s, u += c, c && r && (d = d.append(r[o - 2 >> 1])), !(n || o == e.sections.length || e.sections[o + 1] < 0);) s = e.sections[o++], c = e.sections[o++];
			t(i, l, a, u, d), i = l, a = u;
		}
	}
}
function my(e, t, n, r = !1) {
	let i = [], a = r ? [] : null, o = new gy(e), s = new gy(t);
	for (let e = -1;;) if (o.done && s.len || s.done && o.len) throw Error("Mismatched change set lengths");
	else if (o.ins == -1 && s.ins == -1) {
		let e = Math.min(o.len, s.len);
		dy(i, e, -1), o.forward(e), s.forward(e);
	} else if (s.ins >= 0 && (o.ins < 0 || e == o.i || o.off == 0 && (s.len < o.len || s.len == o.len && !n))) {
		let t = s.len;
		for (dy(i, s.ins, -1); t;) {
			let n = Math.min(o.len, t);
			o.ins >= 0 && e < o.i && o.len <= n && (dy(i, 0, o.ins), a && fy(a, i, o.text), e = o.i), o.forward(n), t -= n;
		}
		s.next();
	} else if (o.ins >= 0) {
		let t = 0, n = o.len;
		for (; n;) if (s.ins == -1) {
			let e = Math.min(n, s.len);
			t += e, n -= e, s.forward(e);
		} else if (s.ins == 0 && s.len < n) n -= s.len, s.next();
		else break;
		dy(i, t, e < o.i ? o.ins : 0), a && e < o.i && fy(a, i, o.text), e = o.i, o.forward(o.len - n);
	} else if (o.done && s.done) return a ? uy.createSet(i, a) : ly.create(i);
	else throw Error("Mismatched change set lengths");
}
function hy(e, t, n = !1) {
	let r = [], i = n ? [] : null, a = new gy(e), o = new gy(t);
	for (let e = !1;;) if (a.done && o.done) return i ? uy.createSet(r, i) : ly.create(r);
	else if (a.ins == 0) dy(r, a.len, 0, e), a.next();
	else if (o.len == 0 && !o.done) dy(r, 0, o.ins, e), i && fy(i, r, o.text), o.next();
	else if (a.done || o.done) throw Error("Mismatched change set lengths");
	else {
		let t = Math.min(a.len2, o.len), n = r.length;
		if (a.ins == -1) {
			let n = o.ins == -1 ? -1 : o.off ? 0 : o.ins;
			dy(r, t, n, e), i && n && fy(i, r, o.text);
		} else o.ins == -1 ? (dy(r, a.off ? 0 : a.len, t, e), i && fy(i, r, a.textBit(t))) : (dy(r, a.off ? 0 : a.len, o.off ? 0 : o.ins, e), i && !o.off && fy(i, r, o.text));
		e = (a.ins > t || o.ins >= 0 && o.len > t) && (e || r.length > n), a.forward2(t), o.forward(t);
	}
}
var gy = class {
	constructor(e) {
		this.set = e, this.i = 0, this.next();
	}
	next() {
		let { sections: e } = this.set;
		this.i < e.length ? (this.len = e[this.i++], this.ins = e[this.i++]) : (this.len = 0, this.ins = -2), this.off = 0;
	}
	get done() {
		return this.ins == -2;
	}
	get len2() {
		return this.ins < 0 ? this.len : this.ins;
	}
	get text() {
		let { inserted: e } = this.set, t = this.i - 2 >> 1;
		return t >= e.length ? Wv.empty : e[t];
	}
	textBit(e) {
		let { inserted: t } = this.set, n = this.i - 2 >> 1;
		return n >= t.length && !e ? Wv.empty : t[n].slice(this.off, e == null ? void 0 : this.off + e);
	}
	forward(e) {
		e == this.len ? this.next() : (this.len -= e, this.off += e);
	}
	forward2(e) {
		this.ins == -1 ? this.forward(e) : e == this.ins ? this.next() : (this.ins -= e, this.off += e);
	}
}, _y = class e {
	constructor(e, t, n, r) {
		this.from = e, this.to = t, this.flags = n, this.goalColumn = r;
	}
	get anchor() {
		return this.flags & 32 ? this.to : this.from;
	}
	get head() {
		return this.flags & 32 ? this.from : this.to;
	}
	get empty() {
		return this.from == this.to;
	}
	get assoc() {
		return this.flags & 8 ? -1 : this.flags & 16 ? 1 : 0;
	}
	get undirectional() {
		return (this.flags & 64) > 0;
	}
	get bidiLevel() {
		let e = this.flags & 7;
		return e == 7 ? null : e;
	}
	map(t, n = -1) {
		let r, i;
		return this.empty ? r = i = t.mapPos(this.from, n) : (r = t.mapPos(this.from, 1), i = t.mapPos(this.to, -1)), r == this.from && i == this.to ? this : new e(r, i, this.flags, this.goalColumn);
	}
	extend(e, t = e, n = 0) {
		if (e <= this.anchor && t >= this.anchor) return J.range(e, t, void 0, void 0, n);
		let r = Math.abs(e - this.anchor) > Math.abs(t - this.anchor) ? e : t;
		return J.range(this.anchor, r, void 0, void 0, n);
	}
	eq(e, t = !1) {
		return this.anchor == e.anchor && this.head == e.head && this.goalColumn == e.goalColumn && (!t || !this.empty || this.assoc == e.assoc);
	}
	toJSON() {
		return {
			anchor: this.anchor,
			head: this.head
		};
	}
	static fromJSON(e) {
		if (!e || typeof e.anchor != "number" || typeof e.head != "number") throw RangeError("Invalid JSON representation for SelectionRange");
		return J.range(e.anchor, e.head);
	}
	static create(t, n, r, i) {
		return new e(t, n, r, i);
	}
}, J = class e {
	constructor(e, t) {
		this.ranges = e, this.mainIndex = t;
	}
	map(t, n = -1) {
		return t.empty ? this : e.create(this.ranges.map((e) => e.map(t, n)), this.mainIndex);
	}
	eq(e, t = !1) {
		if (this.ranges.length != e.ranges.length || this.mainIndex != e.mainIndex) return !1;
		for (let n = 0; n < this.ranges.length; n++) if (!this.ranges[n].eq(e.ranges[n], t)) return !1;
		return !0;
	}
	get main() {
		return this.ranges[this.mainIndex];
	}
	asSingle() {
		return this.ranges.length == 1 ? this : new e([this.main], 0);
	}
	addRange(t, n = !0) {
		return e.create([t].concat(this.ranges), n ? 0 : this.mainIndex + 1);
	}
	replaceRange(t, n = this.mainIndex) {
		let r = this.ranges.slice();
		return r[n] = t, e.create(r, this.mainIndex);
	}
	toJSON() {
		return {
			ranges: this.ranges.map((e) => e.toJSON()),
			main: this.mainIndex
		};
	}
	static fromJSON(t) {
		if (!t || !Array.isArray(t.ranges) || typeof t.main != "number" || t.main >= t.ranges.length) throw RangeError("Invalid JSON representation for EditorSelection");
		return new e(t.ranges.map((e) => _y.fromJSON(e)), t.main);
	}
	static single(t, n = t) {
		return new e([e.range(t, n)], 0);
	}
	static create(t, n = 0) {
		if (t.length == 0) throw RangeError("A selection needs at least one range");
		for (let r = 0, i = 0; i < t.length; i++) {
			let a = t[i];
			if (a.empty ? a.from <= r : a.from < r) return e.normalized(t.slice(), n);
			r = a.to;
		}
		return new e(t, n);
	}
	static cursor(e, t = 0, n, r) {
		return _y.create(e, e, (t == 0 ? 0 : t < 0 ? 8 : 16) | (n == null ? 7 : Math.min(6, n)), r);
	}
	static range(e, t, n, r, i) {
		let a = r == null ? 7 : Math.min(6, r);
		return !i && e != t && (i = t < e ? 1 : -1), i && (a |= i < 0 ? 8 : 16), t < e ? _y.create(t, e, a | 32, n) : _y.create(e, t, a, n);
	}
	static undirectionalRange(e, t) {
		return _y.create(e, t, 64, void 0);
	}
	static normalized(t, n = 0) {
		let r = t[n];
		t.sort((e, t) => e.from - t.from), n = t.indexOf(r);
		for (let r = 1; r < t.length; r++) {
			let i = t[r], a = t[r - 1];
			if (i.empty ? i.from <= a.to : i.from < a.to) {
				let o = a.from, s = Math.max(i.to, a.to);
				r <= n && n--, t.splice(--r, 2, i.anchor > i.head ? e.range(s, o) : e.range(o, s));
			}
		}
		return new e(t, n);
	}
};
function vy(e, t) {
	for (let n of e.ranges) if (n.to > t) throw RangeError("Selection points outside of document");
}
var yy = 0, Y = class e {
	constructor(e, t, n, r, i) {
		this.combine = e, this.compareInput = t, this.compare = n, this.isStatic = r, this.id = yy++, this.default = e([]), this.extensions = typeof i == "function" ? i(this) : i;
	}
	get reader() {
		return this;
	}
	static define(t = {}) {
		return new e(t.combine || ((e) => e), t.compareInput || ((e, t) => e === t), t.compare || (t.combine ? (e, t) => e === t : by), !!t.static, t.enables);
	}
	of(e) {
		return new xy([], this, 0, e);
	}
	compute(e, t) {
		if (this.isStatic) throw Error("Can't compute a static facet");
		return new xy(e, this, 1, t);
	}
	computeN(e, t) {
		if (this.isStatic) throw Error("Can't compute a static facet");
		return new xy(e, this, 2, t);
	}
	from(e, t) {
		return t ||= (e) => e, this.compute([e], (n) => t(n.field(e)));
	}
};
function by(e, t) {
	return e == t || e.length == t.length && e.every((e, n) => e === t[n]);
}
var xy = class {
	constructor(e, t, n, r) {
		this.dependencies = e, this.facet = t, this.type = n, this.value = r, this.id = yy++;
	}
	dynamicSlot(e) {
		let t = this.value, n = this.facet.compareInput, r = this.id, i = e[r] >> 1, a = this.type == 2, o = !1, s = !1, c = [];
		for (let t of this.dependencies) t == "doc" ? o = !0 : t == "selection" ? s = !0 : (e[t.id] ?? 1) & 1 || c.push(e[t.id]);
		return {
			create(e) {
				return e.values[i] = t(e), 1;
			},
			update(e, r) {
				if (o && r.docChanged || s && (r.docChanged || r.selection) || Cy(e, c)) {
					let r = t(e);
					if (a ? !Sy(r, e.values[i], n) : !n(r, e.values[i])) return e.values[i] = r, 1;
				}
				return 0;
			},
			reconfigure: (e, o) => {
				let s, c = o.config.address[r];
				if (c != null) {
					let r = Iy(o, c);
					if (this.dependencies.every((t) => t instanceof Y ? o.facet(t) === e.facet(t) : t instanceof Ey ? o.field(t, !1) == e.field(t, !1) : !0) || (a ? Sy(s = t(e), r, n) : n(s = t(e), r))) return e.values[i] = r, 0;
				} else s = t(e);
				return e.values[i] = s, 1;
			}
		};
	}
	get extension() {
		return this;
	}
};
function Sy(e, t, n) {
	if (e.length != t.length) return !1;
	for (let r = 0; r < e.length; r++) if (!n(e[r], t[r])) return !1;
	return !0;
}
function Cy(e, t) {
	let n = !1;
	for (let r of t) Fy(e, r) & 1 && (n = !0);
	return n;
}
function wy(e, t, n) {
	let r = n.map((t) => e[t.id]), i = n.map((e) => e.type), a = r.filter((e) => !(e & 1)), o = e[t.id] >> 1;
	function s(e) {
		let n = [];
		for (let t = 0; t < r.length; t++) {
			let a = Iy(e, r[t]);
			if (i[t] == 2) for (let e of a) n.push(e);
			else n.push(a);
		}
		return t.combine(n);
	}
	return {
		create(e) {
			for (let t of r) Fy(e, t);
			return e.values[o] = s(e), 1;
		},
		update(e, n) {
			if (!Cy(e, a)) return 0;
			let r = s(e);
			return t.compare(r, e.values[o]) ? 0 : (e.values[o] = r, 1);
		},
		reconfigure(e, i) {
			let a = Cy(e, r), c = i.config.facets[t.id], l = i.facet(t);
			if (c && !a && by(n, c)) return e.values[o] = l, 0;
			let u = s(e);
			return t.compare(u, l) ? (e.values[o] = l, 0) : (e.values[o] = u, 1);
		}
	};
}
var Ty = /*@__PURE__*/ Y.define({ static: !0 }), Ey = class e {
	constructor(e, t, n, r, i) {
		this.id = e, this.createF = t, this.updateF = n, this.compareF = r, this.spec = i, this.provides = void 0;
	}
	static define(t) {
		let n = new e(yy++, t.create, t.update, t.compare || ((e, t) => e === t), t);
		return t.provide && (n.provides = t.provide(n)), n;
	}
	create(e) {
		return (e.facet(Ty).find((e) => e.field == this)?.create || this.createF)(e);
	}
	slot(e) {
		let t = e[this.id] >> 1;
		return {
			create: (e) => (e.values[t] = this.create(e), 1),
			update: (e, n) => {
				let r = e.values[t], i = this.updateF(r, n);
				return this.compareF(r, i) ? 0 : (e.values[t] = i, 1);
			},
			reconfigure: (e, n) => {
				let r = e.facet(Ty), i = n.facet(Ty), a;
				return (a = r.find((e) => e.field == this)) && a != i.find((e) => e.field == this) ? (e.values[t] = a.create(e), 1) : n.config.address[this.id] == null ? (e.values[t] = this.create(e), 1) : (e.values[t] = n.field(this), 0);
			}
		};
	}
	init(e) {
		return [this, Ty.of({
			field: this,
			create: e
		})];
	}
	get extension() {
		return this;
	}
}, Dy = {
	lowest: 4,
	low: 3,
	default: 2,
	high: 1,
	highest: 0
};
function Oy(e) {
	return (t) => new Ay(t, e);
}
var ky = {
	highest: /*@__PURE__*/ Oy(Dy.highest),
	high: /*@__PURE__*/ Oy(Dy.high),
	default: /*@__PURE__*/ Oy(Dy.default),
	low: /*@__PURE__*/ Oy(Dy.low),
	lowest: /*@__PURE__*/ Oy(Dy.lowest)
}, Ay = class {
	constructor(e, t) {
		this.inner = e, this.prec = t;
	}
	get extension() {
		return this;
	}
}, jy = class e {
	of(e) {
		return new My(this, e);
	}
	reconfigure(t) {
		return e.reconfigure.of({
			compartment: this,
			extension: t
		});
	}
	get(e) {
		return e.config.compartments.get(this);
	}
}, My = class {
	constructor(e, t) {
		this.compartment = e, this.inner = t;
	}
	get extension() {
		return this;
	}
}, Ny = class e {
	constructor(e, t, n, r, i, a) {
		for (this.base = e, this.compartments = t, this.dynamicSlots = n, this.address = r, this.staticValues = i, this.facets = a, this.statusTemplate = []; this.statusTemplate.length < n.length;) this.statusTemplate.push(0);
	}
	staticFacet(e) {
		let t = this.address[e.id];
		return t == null ? e.default : this.staticValues[t >> 1];
	}
	static resolve(t, n, r) {
		let i = [], a = Object.create(null), o = /* @__PURE__ */ new Map();
		for (let e of Py(t, n, o)) e instanceof Ey ? i.push(e) : (a[e.facet.id] || (a[e.facet.id] = [])).push(e);
		let s = Object.create(null), c = [], l = [];
		for (let e of i) s[e.id] = l.length << 1, l.push((t) => e.slot(t));
		let u = r?.config.facets;
		for (let e in a) {
			let t = a[e], n = t[0].facet, i = u && u[e] || [];
			if (t.every((e) => e.type == 0)) {
				if (s[n.id] = c.length << 1 | 1, by(i, t)) c.push(r.facet(n));
				else {
					let e = n.combine(t.map((e) => e.value));
					c.push(r && n.compare(e, r.facet(n)) ? r.facet(n) : e);
				}
			} else {
				for (let e of t) e.type == 0 ? (s[e.id] = c.length << 1 | 1, c.push(e.value)) : (s[e.id] = l.length << 1, l.push((t) => e.dynamicSlot(t)));
				s[n.id] = l.length << 1, l.push((e) => wy(e, n, t));
			}
		}
		let d = l.map((e) => e(s));
		return new e(t, o, d, s, c, a);
	}
};
function Py(e, t, n) {
	let r = [
		[],
		[],
		[],
		[],
		[]
	], i = /* @__PURE__ */ new Map();
	function a(e, o) {
		let s = i.get(e);
		if (s != null) {
			if (s <= o) return;
			let t = r[s].indexOf(e);
			t > -1 && r[s].splice(t, 1), e instanceof My && n.delete(e.compartment);
		}
		if (i.set(e, o), Array.isArray(e)) for (let t of e) a(t, o);
		else if (e instanceof My) {
			if (n.has(e.compartment)) throw RangeError("Duplicate use of compartment in extensions");
			let r = t.get(e.compartment) || e.inner;
			n.set(e.compartment, r), a(r, o);
		} else if (e instanceof Ay) a(e.inner, e.prec);
		else if (e instanceof Ey) r[o].push(e), e.provides && a(e.provides, o);
		else if (e instanceof xy) r[o].push(e), e.facet.extensions && a(e.facet.extensions, Dy.default);
		else {
			let t = e.extension;
			if (!t) throw Error(`Unrecognized extension value in extension set (${e}).`);
			if (t == e) throw Error(`Unrecognized extension value in extension set (${e}). This sometimes happens because multiple instances of @codemirror/state are loaded, breaking instanceof checks.`);
			a(t, o);
		}
	}
	return a(e, Dy.default), r.reduce((e, t) => e.concat(t));
}
function Fy(e, t) {
	if (t & 1) return 2;
	let n = t >> 1, r = e.status[n];
	if (r == 4) throw Error("Cyclic dependency between fields and/or facets");
	if (r & 2) return r;
	e.status[n] = 4;
	let i = e.computeSlot(e, e.config.dynamicSlots[n]);
	return e.status[n] = 2 | i;
}
function Iy(e, t) {
	return t & 1 ? e.config.staticValues[t >> 1] : e.values[t >> 1];
}
var Ly = /*@__PURE__*/ Y.define(), Ry = /*@__PURE__*/ Y.define({
	combine: (e) => e.some((e) => e),
	static: !0
}), zy = /*@__PURE__*/ Y.define({
	combine: (e) => e.length ? e[0] : void 0,
	static: !0
}), By = /*@__PURE__*/ Y.define(), Vy = /*@__PURE__*/ Y.define(), Hy = /*@__PURE__*/ Y.define(), Uy = /*@__PURE__*/ Y.define({ combine: (e) => e.length ? e[0] : !1 }), Wy = class {
	constructor(e, t) {
		this.type = e, this.value = t;
	}
	static define() {
		return new Gy();
	}
}, Gy = class {
	of(e) {
		return new Wy(this, e);
	}
}, Ky = class {
	constructor(e) {
		this.map = e;
	}
	of(e) {
		return new qy(this, e);
	}
}, qy = class e {
	constructor(e, t) {
		this.type = e, this.value = t;
	}
	map(t) {
		let n = this.type.map(this.value, t);
		return n === void 0 ? void 0 : n == this.value ? this : new e(this.type, n);
	}
	is(e) {
		return this.type == e;
	}
	static define(e = {}) {
		return new Ky(e.map || ((e) => e));
	}
	static mapEffects(e, t) {
		if (!e.length) return e;
		let n = [];
		for (let r of e) {
			let e = r.map(t);
			e && n.push(e);
		}
		return n;
	}
};
qy.reconfigure = /*@__PURE__*/ qy.define(), qy.appendConfig = /*@__PURE__*/ qy.define();
var Jy = class e {
	constructor(t, n, r, i, a, o) {
		this.startState = t, this.changes = n, this.selection = r, this.effects = i, this.annotations = a, this.scrollIntoView = o, this._doc = null, this._state = null, r && vy(r, n.newLength), a.some((t) => t.type == e.time) || (this.annotations = a.concat(e.time.of(Date.now())));
	}
	static create(t, n, r, i, a, o) {
		return new e(t, n, r, i, a, o);
	}
	get newDoc() {
		return this._doc ||= this.changes.apply(this.startState.doc);
	}
	get newSelection() {
		return this.selection || this.startState.selection.map(this.changes);
	}
	get state() {
		return this._state || this.startState.applyTransaction(this), this._state;
	}
	annotation(e) {
		for (let t of this.annotations) if (t.type == e) return t.value;
	}
	get docChanged() {
		return !this.changes.empty;
	}
	get reconfigured() {
		return this.startState.config != this.state.config;
	}
	isUserEvent(t) {
		let n = this.annotation(e.userEvent);
		return !!(n && (n == t || n.length > t.length && n.slice(0, t.length) == t && n[t.length] == "."));
	}
};
Jy.time = /*@__PURE__*/ Wy.define(), Jy.userEvent = /*@__PURE__*/ Wy.define(), Jy.addToHistory = /*@__PURE__*/ Wy.define(), Jy.remote = /*@__PURE__*/ Wy.define();
function Yy(e, t) {
	let n = [];
	for (let r = 0, i = 0;;) {
		let a, o;
		if (r < e.length && (i == t.length || t[i] >= e[r])) a = e[r++], o = e[r++];
		else if (i < t.length) a = t[i++], o = t[i++];
		else return n;
		!n.length || n[n.length - 1] < a ? n.push(a, o) : n[n.length - 1] < o && (n[n.length - 1] = o);
	}
}
function Xy(e, t, n) {
	let r, i, a;
	return n ? (r = t.changes, i = uy.empty(t.changes.length), a = e.changes.compose(t.changes)) : (r = t.changes.map(e.changes), i = e.changes.mapDesc(t.changes, !0), a = e.changes.compose(r)), {
		changes: a,
		selection: t.selection ? t.selection.map(i) : e.selection?.map(r),
		effects: qy.mapEffects(e.effects, r).concat(qy.mapEffects(t.effects, i)),
		annotations: e.annotations.length ? e.annotations.concat(t.annotations) : t.annotations,
		scrollIntoView: e.scrollIntoView || t.scrollIntoView
	};
}
function Zy(e, t, n) {
	let r = t.selection, i = nb(t.annotations);
	return t.userEvent && (i = i.concat(Jy.userEvent.of(t.userEvent))), {
		changes: t.changes instanceof uy ? t.changes : uy.of(t.changes || [], n, e.facet(zy)),
		selection: r && (r instanceof J ? r : J.single(r.anchor, r.head)),
		effects: nb(t.effects),
		annotations: i,
		scrollIntoView: !!t.scrollIntoView
	};
}
function Qy(e, t, n) {
	let r = Zy(e, t.length ? t[0] : {}, e.doc.length);
	t.length && t[0].filter === !1 && (n = !1);
	for (let i = 1; i < t.length; i++) {
		t[i].filter === !1 && (n = !1);
		let a = !!t[i].sequential;
		r = Xy(r, Zy(e, t[i], a ? r.changes.newLength : e.doc.length), a);
	}
	let i = Jy.create(e, r.changes, r.selection, r.effects, r.annotations, r.scrollIntoView);
	return eb(n ? $y(i) : i);
}
function $y(e) {
	let t = e.startState, n = !0;
	for (let r of t.facet(By)) {
		let t = r(e);
		if (t === !1) {
			n = !1;
			break;
		}
		Array.isArray(t) && (n = n === !0 ? t : Yy(n, t));
	}
	if (n !== !0) {
		let r, i;
		if (n === !1) i = e.changes.invertedDesc, r = uy.empty(t.doc.length);
		else {
			let t = e.changes.filter(n);
			r = t.changes, i = t.filtered.mapDesc(t.changes).invertedDesc;
		}
		e = Jy.create(t, r, e.selection && e.selection.map(i), qy.mapEffects(e.effects, i), e.annotations, e.scrollIntoView);
	}
	let r = t.facet(Vy);
	for (let n = r.length - 1; n >= 0; n--) {
		let i = r[n](e);
		e = i instanceof Jy ? i : Array.isArray(i) && i.length == 1 && i[0] instanceof Jy ? i[0] : Qy(t, nb(i), !1);
	}
	return e;
}
function eb(e) {
	let t = e.startState, n = t.facet(Hy), r = e;
	for (let i = n.length - 1; i >= 0; i--) {
		let a = n[i](e);
		a && Object.keys(a).length && (r = Xy(r, Zy(t, a, e.changes.newLength), !0));
	}
	return r == e ? e : Jy.create(t, e.changes, e.selection, r.effects, r.annotations, r.scrollIntoView);
}
var tb = [];
function nb(e) {
	return e == null ? tb : Array.isArray(e) ? e : [e];
}
var rb = /*@__PURE__*/ (function(e) {
	return e[e.Word = 0] = "Word", e[e.Space = 1] = "Space", e[e.Other = 2] = "Other", e;
})(rb ||= {}), ib = /[\u00df\u0587\u0590-\u05f4\u0600-\u06ff\u3040-\u309f\u30a0-\u30ff\u3400-\u4db5\u4e00-\u9fcc\uac00-\ud7af]/, ab;
try {
	ab = /*@__PURE__*/ RegExp("[\\p{Alphabetic}\\p{Number}_]", "u");
} catch {}
function ob(e) {
	if (ab) return ab.test(e);
	for (let t = 0; t < e.length; t++) {
		let n = e[t];
		if (/\w/.test(n) || n > "" && (n.toUpperCase() != n.toLowerCase() || ib.test(n))) return !0;
	}
	return !1;
}
function sb(e) {
	return (t) => {
		if (!/\S/.test(t)) return rb.Space;
		if (ob(t)) return rb.Word;
		for (let n = 0; n < e.length; n++) if (t.indexOf(e[n]) > -1) return rb.Word;
		return rb.Other;
	};
}
var cb = class e {
	constructor(e, t, n, r, i, a) {
		this.config = e, this.doc = t, this.selection = n, this.values = r, this.status = e.statusTemplate.slice(), this.computeSlot = i, a && (a._state = this);
		for (let e = 0; e < this.config.dynamicSlots.length; e++) Fy(this, e << 1);
		this.computeSlot = null;
	}
	field(e, t = !0) {
		let n = this.config.address[e.id];
		if (n == null) {
			if (t) throw RangeError("Field is not present in this state");
		} else return Fy(this, n), Iy(this, n);
	}
	update(...e) {
		return Qy(this, e, !0);
	}
	applyTransaction(t) {
		let n = this.config, { base: r, compartments: i } = n;
		for (let e of t.effects) e.is(jy.reconfigure) ? (n &&= (i = /* @__PURE__ */ new Map(), n.compartments.forEach((e, t) => i.set(t, e)), null), i.set(e.value.compartment, e.value.extension)) : e.is(qy.reconfigure) ? (n = null, r = e.value) : e.is(qy.appendConfig) && (n = null, r = nb(r).concat(e.value));
		let a;
		n ? a = t.startState.values.slice() : (n = Ny.resolve(r, i, this), a = new e(n, this.doc, this.selection, n.dynamicSlots.map(() => null), (e, t) => t.reconfigure(e, this), null).values);
		let o = t.startState.facet(Ry) ? t.newSelection : t.newSelection.asSingle();
		new e(n, t.newDoc, o, a, (e, n) => n.update(e, t), t);
	}
	replaceSelection(e) {
		return typeof e == "string" && (e = this.toText(e)), this.changeByRange((t) => ({
			changes: {
				from: t.from,
				to: t.to,
				insert: e
			},
			range: J.cursor(t.from + e.length, -1)
		}));
	}
	changeByRange(e) {
		let t = this.selection, n = e(t.ranges[0]), r = this.changes(n.changes), i = [n.range], a = nb(n.effects);
		for (let n = 1; n < t.ranges.length; n++) {
			let o = e(t.ranges[n]), s = this.changes(o.changes), c = s.map(r);
			for (let e = 0; e < n; e++) i[e] = i[e].map(c);
			let l = r.mapDesc(s, !0);
			i.push(o.range.map(l)), r = r.compose(c), a = qy.mapEffects(a, c).concat(qy.mapEffects(nb(o.effects), l));
		}
		return {
			changes: r,
			selection: J.create(i, t.mainIndex),
			effects: a
		};
	}
	changes(t = []) {
		return t instanceof uy ? t : uy.of(t, this.doc.length, this.facet(e.lineSeparator));
	}
	toText(t) {
		return Wv.of(t.split(this.facet(e.lineSeparator) || sy));
	}
	sliceDoc(e = 0, t = this.doc.length) {
		return this.doc.sliceString(e, t, this.lineBreak);
	}
	facet(e) {
		let t = this.config.address[e.id];
		return t == null ? e.default : (Fy(this, t), Iy(this, t));
	}
	toJSON(e) {
		let t = {
			doc: this.sliceDoc(),
			selection: this.selection.toJSON()
		};
		if (e) for (let n in e) {
			let r = e[n];
			r instanceof Ey && this.config.address[r.id] != null && (t[n] = r.spec.toJSON(this.field(e[n]), this));
		}
		return t;
	}
	static fromJSON(t, n = {}, r) {
		if (!t || typeof t.doc != "string") throw RangeError("Invalid JSON representation for EditorState");
		let i = [];
		if (r) {
			for (let e in r) if (Object.prototype.hasOwnProperty.call(t, e)) {
				let n = r[e], a = t[e];
				i.push(n.init((e) => n.spec.fromJSON(a, e)));
			}
		}
		return e.create({
			doc: t.doc,
			selection: J.fromJSON(t.selection),
			extensions: n.extensions ? i.concat([n.extensions]) : i
		});
	}
	static create(t = {}) {
		let n = Ny.resolve(t.extensions || [], /* @__PURE__ */ new Map()), r = t.doc instanceof Wv ? t.doc : Wv.of((t.doc || "").split(n.staticFacet(e.lineSeparator) || sy)), i = t.selection ? t.selection instanceof J ? t.selection : J.single(t.selection.anchor, t.selection.head) : J.single(0);
		return vy(i, r.length), n.staticFacet(Ry) || (i = i.asSingle()), new e(n, r, i, n.dynamicSlots.map(() => null), (e, t) => t.create(e), null);
	}
	get tabSize() {
		return this.facet(e.tabSize);
	}
	get lineBreak() {
		return this.facet(e.lineSeparator) || "\n";
	}
	get readOnly() {
		return this.facet(Uy);
	}
	phrase(t, ...n) {
		for (let n of this.facet(e.phrases)) if (Object.prototype.hasOwnProperty.call(n, t)) {
			t = n[t];
			break;
		}
		return n.length && (t = t.replace(/\$(\$|\d*)/g, (e, t) => {
			if (t == "$") return "$";
			let r = +(t || 1);
			return !r || r > n.length ? e : n[r - 1];
		})), t;
	}
	languageDataAt(e, t, n = -1) {
		let r = [];
		for (let i of this.facet(Ly)) for (let a of i(this, t, n)) Object.prototype.hasOwnProperty.call(a, e) && r.push(a[e]);
		return r;
	}
	charCategorizer(e) {
		let t = this.languageDataAt("wordChars", e);
		return sb(t.length ? t[0] : "");
	}
	wordAt(e) {
		let { text: t, from: n, length: r } = this.doc.lineAt(e), i = this.charCategorizer(e), a = e - n, o = e - n;
		for (; a > 0;) {
			let e = ty(t, a, !1);
			if (i(t.slice(e, a)) != rb.Word) break;
			a = e;
		}
		for (; o < r;) {
			let e = ty(t, o);
			if (i(t.slice(o, e)) != rb.Word) break;
			o = e;
		}
		return a == o ? null : J.range(a + n, o + n);
	}
};
cb.allowMultipleSelections = Ry, cb.tabSize = /*@__PURE__*/ Y.define({ combine: (e) => e.length ? e[0] : 4 }), cb.lineSeparator = zy, cb.readOnly = Uy, cb.phrases = /*@__PURE__*/ Y.define({ compare(e, t) {
	let n = Object.keys(e), r = Object.keys(t);
	return n.length == r.length && n.every((n) => e[n] == t[n]);
} }), cb.languageData = Ly, cb.changeFilter = By, cb.transactionFilter = Vy, cb.transactionExtender = Hy, jy.reconfigure = /*@__PURE__*/ qy.define();
function lb(e, t, n = {}) {
	let r = {};
	for (let t of e) for (let e of Object.keys(t)) {
		let i = t[e], a = r[e];
		if (a === void 0) r[e] = i;
		else if (a !== i && i !== void 0) {
			if (Object.hasOwnProperty.call(n, e)) r[e] = n[e](a, i);
			else throw Error("Config merge conflict for field " + e);
		}
	}
	for (let e in t) r[e] === void 0 && (r[e] = t[e]);
	return r;
}
var ub = class {
	eq(e) {
		return this == e;
	}
	range(e, t = e) {
		return fb.create(e, t, this);
	}
};
ub.prototype.startSide = ub.prototype.endSide = 0, ub.prototype.point = !1, ub.prototype.mapMode = cy.TrackDel;
function db(e, t) {
	return e == t || e.constructor == t.constructor && e.eq(t);
}
var fb = class e {
	constructor(e, t, n) {
		this.from = e, this.to = t, this.value = n;
	}
	static create(t, n, r) {
		return new e(t, n, r);
	}
};
function pb(e, t) {
	return e.from - t.from || e.value.startSide - t.value.startSide;
}
var mb = class e {
	constructor(e, t, n, r) {
		this.from = e, this.to = t, this.value = n, this.maxPoint = r;
	}
	get length() {
		return gb(this.to);
	}
	findIndex(e, t, n, r = 0) {
		let i = n ? this.to : this.from;
		for (let a = r, o = i.length;;) {
			if (a == o) return a;
			let r = a + o >> 1, s = i[r] - e || (n ? this.value[r].endSide : this.value[r].startSide) - t;
			if (r == a) return s >= 0 ? a : o;
			s >= 0 ? o = r : a = r + 1;
		}
	}
	between(e, t, n, r) {
		for (let i = this.findIndex(t, -1e9, !0), a = this.findIndex(n, 1e9, !1, i); i < a; i++) if (r(this.from[i] + e, this.to[i] + e, this.value[i]) === !1) return !1;
	}
	map(t, n, r, i, a) {
		let o = [], s = [], c = [], l = -1, u = -1;
		iter: for (let e = 0; e < this.value.length; e++) {
			let d = this.value[e], f = this.from[e] + t, p = this.to[e] + t, m, h;
			if (f == p) {
				let e = n.mapPos(f, d.startSide, d.mapMode);
				if (e == null || (m = h = e, d.startSide != d.endSide && (h = n.mapPos(f, d.endSide), h < m))) continue;
			} else if (m = n.mapPos(f, d.startSide), h = n.mapPos(p, d.endSide), m > h || m == h && d.startSide > 0 && d.endSide <= 0) continue;
			if (!((h - m || d.endSide - d.startSide) < 0)) {
				if (l < 0 && (l = m), d.point && (u = Math.max(u, h - m)), (m - r || d.startSide - i) >= 0) o.push(d), s.push(m - l), c.push(h - l), r = h, i = d.endSide;
				else {
					if (m == h) for (let e = o.length; e > 0; e--) {
						if ((m - (c[e - 1] + l) || d.startSide - o[e - 1].endSide) >= 0) {
							o.splice(e, 0, d), s.splice(e, 0, m - l), c.splice(e, 0, h - l);
							continue iter;
						}
						if ((m - (s[e - 1] + l) || d.endSide - o[e - 1].startSide) > 0) break;
					}
					a(m, h, d);
				}
			}
		}
		return {
			mapped: o.length ? new e(s, c, o, u) : null,
			pos: l
		};
	}
}, hb = class e {
	constructor(e, t, n, r) {
		this.chunkPos = e, this.chunk = t, this.nextLayer = n, this.maxPoint = r;
	}
	static create(t, n, r, i) {
		return new e(t, n, r, i);
	}
	get length() {
		let e = this.chunk.length - 1;
		return e < 0 ? 0 : Math.max(this.chunkEnd(e), this.nextLayer.length);
	}
	get size() {
		if (this.isEmpty) return 0;
		let e = this.nextLayer.size;
		for (let t of this.chunk) e += t.value.length;
		return e;
	}
	chunkEnd(e) {
		return this.chunkPos[e] + this.chunk[e].length;
	}
	update(t) {
		let { add: n = [], sort: r = !1, filterFrom: i = 0, filterTo: a = this.length } = t, o = t.filter;
		if (n.length == 0 && !o) return this;
		if (r && (n = n.slice().sort(pb)), this.isEmpty) return n.length ? e.of(n) : this;
		let s = new bb(this, null, -1).goto(0), c = 0, l = [], u = new vb();
		for (; s.value || c < n.length;) if (c < n.length && (s.from - n[c].from || s.startSide - n[c].value.startSide) >= 0) {
			let e = n[c++];
			u.addInner(e.from, e.to, e.value, !1) || l.push(e);
		} else s.rangeIndex == 1 && s.chunkIndex < this.chunk.length && (c == n.length || this.chunkEnd(s.chunkIndex) < n[c].from) && (!o || i > this.chunkEnd(s.chunkIndex) || a < this.chunkPos[s.chunkIndex]) && u.addChunk(this.chunkPos[s.chunkIndex], this.chunk[s.chunkIndex]) ? s.nextChunk() : ((!o || i > s.to || a < s.from || o(s.from, s.to, s.value)) && (u.addInner(s.from, s.to, s.value, !1) || l.push(fb.create(s.from, s.to, s.value))), s.next());
		return u.finishInner(this.nextLayer.isEmpty && !l.length ? e.empty : this.nextLayer.update({
			add: l,
			filter: o,
			filterFrom: i,
			filterTo: a
		}));
	}
	map(t) {
		if (t.empty || this.isEmpty) return this;
		let n = [], r = [], i = -1, a, o = (e, t, n) => {
			a ||= new vb(), a.addRange(e, t, n, !1);
		};
		for (let e = 0; e < this.chunk.length; e++) {
			let a = this.chunkPos[e], s = this.chunk[e], c = t.touchesRange(a, a + s.length);
			if (c === !1) i = Math.max(i, s.maxPoint), n.push(s), r.push(t.mapPos(a));
			else if (c === !0) {
				let [e, c] = n.length ? [gb(r) + gb(n).length, gb(gb(n).value).endSide] : [-1, -1], { mapped: l, pos: u } = s.map(a, t, e, c, o);
				l && (i = Math.max(i, l.maxPoint), n.push(l), r.push(u));
			}
		}
		let s = this.nextLayer.map(t);
		return a && (s = a.finishInner(s)), n.length == 0 ? s : new e(r, n, s || e.empty, i);
	}
	between(e, t, n) {
		if (!this.isEmpty) {
			for (let r = 0; r < this.chunk.length; r++) {
				let i = this.chunkPos[r], a = this.chunk[r];
				if (t >= i && e <= i + a.length && a.between(i, e - i, t - i, n) === !1) return;
			}
			this.nextLayer.between(e, t, n);
		}
	}
	iter(e = 0) {
		return xb.from([this]).goto(e);
	}
	get isEmpty() {
		return this.nextLayer == this;
	}
	static iter(e, t = 0) {
		return xb.from(e).goto(t);
	}
	static compare(e, t, n, r, i = -1) {
		let a = e.filter((e) => e.maxPoint > 0 || !e.isEmpty && e.maxPoint >= i), o = t.filter((e) => e.maxPoint > 0 || !e.isEmpty && e.maxPoint >= i), s = yb(a, o, n), c = new Cb(a, s, i), l = new Cb(o, s, i);
		n.iterGaps((e, t, n) => wb(c, e, l, t, n, r)), n.empty && n.length == 0 && wb(c, 0, l, 0, 0, r);
	}
	static eq(e, t, n = 0, r) {
		r ??= 1e9 - 1;
		let i = e.filter((e) => !e.isEmpty && t.indexOf(e) < 0), a = t.filter((t) => !t.isEmpty && e.indexOf(t) < 0);
		if (i.length != a.length) return !1;
		if (!i.length) return !0;
		let o = yb(i, a), s = new Cb(i, o, 0).goto(n), c = new Cb(a, o, 0).goto(n);
		for (;;) {
			if (s.to != c.to || !Tb(s.active, c.active) || s.point && (!c.point || !db(s.point, c.point))) return !1;
			if (s.to > r) return !0;
			s.next(), c.next();
		}
	}
	static spans(e, t, n, r, i = -1) {
		let a = new Cb(e, null, i).goto(t), o = t, s = a.openStart;
		for (;;) {
			let e = Math.min(a.to, n);
			if (a.point) {
				let n = a.activeForPoint(a.to), i = a.pointFrom < t ? n.length + 1 : a.point.startSide < 0 ? n.length : Math.min(n.length, s);
				r.point(o, e, a.point, n, i, a.pointRank), s = Math.min(a.openEnd(e), n.length);
			} else e > o && (r.span(o, e, a.active, s), s = a.openEnd(e));
			if (a.to > n) return s + (a.point && a.to > n ? 1 : 0);
			o = a.to, a.next();
		}
	}
	static of(e, t = !1) {
		let n = new vb();
		for (let r of e instanceof fb ? [e] : t ? _b(e) : e) n.add(r.from, r.to, r.value);
		return n.finish();
	}
	static join(t) {
		if (!t.length) return e.empty;
		let n = gb(t);
		for (let r = t.length - 2; r >= 0; r--) for (let i = t[r]; i != e.empty; i = i.nextLayer) n = new e(i.chunkPos, i.chunk, n, Math.max(i.maxPoint, n.maxPoint));
		return n;
	}
};
hb.empty = /*@__PURE__*/ new hb([], [], null, -1);
function gb(e) {
	return e[e.length - 1];
}
function _b(e) {
	if (e.length > 1) for (let t = e[0], n = 1; n < e.length; n++) {
		let r = e[n];
		if (pb(t, r) > 0) return e.slice().sort(pb);
		t = r;
	}
	return e;
}
hb.empty.nextLayer = hb.empty;
var vb = class e {
	finishChunk(e) {
		this.chunks.push(new mb(this.from, this.to, this.value, this.maxPoint)), this.chunkPos.push(this.chunkStart), this.chunkStart = -1, this.setMaxPoint = Math.max(this.setMaxPoint, this.maxPoint), this.maxPoint = -1, e && (this.from = [], this.to = [], this.value = []);
	}
	constructor() {
		this.chunks = [], this.chunkPos = [], this.chunkStart = -1, this.last = null, this.lastFrom = -1e9, this.lastTo = -1e9, this.from = [], this.to = [], this.value = [], this.maxPoint = -1, this.setMaxPoint = -1, this.nextLayer = null;
	}
	add(e, t, n) {
		this.addRange(e, t, n, !0);
	}
	addRange(t, n, r, i) {
		this.addInner(t, n, r, i) || (this.nextLayer ||= new e()).addRange(t, n, r, i);
	}
	addInner(e, t, n, r) {
		let i = e - this.lastTo || n.startSide - this.last.endSide;
		if (r && i <= 0 && (e - this.lastFrom || n.startSide - this.last.startSide) < 0) throw Error("Ranges must be added sorted by `from` position and `startSide`");
		return i < 0 ? !1 : (this.from.length == 250 && this.finishChunk(!0), this.chunkStart < 0 && (this.chunkStart = e), this.from.push(e - this.chunkStart), this.to.push(t - this.chunkStart), this.last = n, this.lastFrom = e, this.lastTo = t, this.value.push(n), n.point && (this.maxPoint = Math.max(this.maxPoint, t - e)), !0);
	}
	addChunk(e, t) {
		if ((e - this.lastTo || t.value[0].startSide - this.last.endSide) < 0) return !1;
		this.from.length && this.finishChunk(!0), this.setMaxPoint = Math.max(this.setMaxPoint, t.maxPoint), this.chunks.push(t), this.chunkPos.push(e);
		let n = t.value.length - 1;
		return this.last = t.value[n], this.lastFrom = t.from[n] + e, this.lastTo = t.to[n] + e, !0;
	}
	finish() {
		return this.finishInner(hb.empty);
	}
	finishInner(e) {
		if (this.from.length && this.finishChunk(!1), this.chunks.length == 0) return e;
		let t = hb.create(this.chunkPos, this.chunks, this.nextLayer ? this.nextLayer.finishInner(e) : e, this.setMaxPoint);
		return this.from = null, t;
	}
};
function yb(e, t, n) {
	let r = /* @__PURE__ */ new Map();
	for (let t of e) for (let e = 0; e < t.chunk.length; e++) t.chunk[e].maxPoint <= 0 && r.set(t.chunk[e], t.chunkPos[e]);
	let i = /* @__PURE__ */ new Set();
	for (let e of t) for (let t = 0; t < e.chunk.length; t++) {
		let a = r.get(e.chunk[t]);
		a != null && (n ? n.mapPos(a) : a) == e.chunkPos[t] && !n?.touchesRange(a, a + e.chunk[t].length) && i.add(e.chunk[t]);
	}
	return i;
}
var bb = class {
	constructor(e, t, n, r = 0) {
		this.layer = e, this.skip = t, this.minPoint = n, this.rank = r;
	}
	get startSide() {
		return this.value ? this.value.startSide : 0;
	}
	get endSide() {
		return this.value ? this.value.endSide : 0;
	}
	goto(e, t = -1e9) {
		return this.chunkIndex = this.rangeIndex = 0, this.gotoInner(e, t, !1), this;
	}
	gotoInner(e, t, n) {
		for (; this.chunkIndex < this.layer.chunk.length;) {
			let t = this.layer.chunk[this.chunkIndex];
			if (!(this.skip && this.skip.has(t) || this.layer.chunkEnd(this.chunkIndex) < e || t.maxPoint < this.minPoint)) break;
			this.chunkIndex++, n = !1;
		}
		if (this.chunkIndex < this.layer.chunk.length) {
			let r = this.layer.chunk[this.chunkIndex].findIndex(e - this.layer.chunkPos[this.chunkIndex], t, !0);
			(!n || this.rangeIndex < r) && this.setRangeIndex(r);
		}
		this.next();
	}
	forward(e, t) {
		(this.to - e || this.endSide - t) < 0 && this.gotoInner(e, t, !0);
	}
	next() {
		for (;;) if (this.chunkIndex == this.layer.chunk.length) {
			this.from = this.to = 1e9, this.value = null;
			break;
		} else {
			let e = this.layer.chunkPos[this.chunkIndex], t = this.layer.chunk[this.chunkIndex], n = e + t.from[this.rangeIndex];
			if (this.from = n, this.to = e + t.to[this.rangeIndex], this.value = t.value[this.rangeIndex], this.setRangeIndex(this.rangeIndex + 1), this.minPoint < 0 || this.value.point && this.to - this.from >= this.minPoint) break;
		}
	}
	setRangeIndex(e) {
		if (e == this.layer.chunk[this.chunkIndex].value.length) {
			if (this.chunkIndex++, this.skip) for (; this.chunkIndex < this.layer.chunk.length && this.skip.has(this.layer.chunk[this.chunkIndex]);) this.chunkIndex++;
			this.rangeIndex = 0;
		} else this.rangeIndex = e;
	}
	nextChunk() {
		this.chunkIndex++, this.rangeIndex = 0, this.next();
	}
	compare(e) {
		return this.from - e.from || this.startSide - e.startSide || this.rank - e.rank || this.to - e.to || this.endSide - e.endSide;
	}
}, xb = class e {
	constructor(e) {
		this.heap = e;
	}
	static from(t, n = null, r = -1) {
		let i = [];
		for (let e = 0; e < t.length; e++) for (let a = t[e]; !a.isEmpty; a = a.nextLayer) a.maxPoint >= r && i.push(new bb(a, n, r, e));
		return i.length == 1 ? i[0] : new e(i);
	}
	get startSide() {
		return this.value ? this.value.startSide : 0;
	}
	goto(e, t = -1e9) {
		for (let n of this.heap) n.goto(e, t);
		for (let e = this.heap.length >> 1; e >= 0; e--) Sb(this.heap, e);
		return this.next(), this;
	}
	forward(e, t) {
		for (let n of this.heap) n.forward(e, t);
		for (let e = this.heap.length >> 1; e >= 0; e--) Sb(this.heap, e);
		(this.to - e || this.value.endSide - t) < 0 && this.next();
	}
	next() {
		if (this.heap.length == 0) this.from = this.to = 1e9, this.value = null, this.rank = -1;
		else {
			let e = this.heap[0];
			this.from = e.from, this.to = e.to, this.value = e.value, this.rank = e.rank, e.value && e.next(), Sb(this.heap, 0);
		}
	}
};
function Sb(e, t) {
	for (let n = e[t];;) {
		let r = (t << 1) + 1;
		if (r >= e.length) break;
		let i = e[r];
		if (r + 1 < e.length && i.compare(e[r + 1]) >= 0 && (i = e[r + 1], r++), n.compare(i) < 0) break;
		e[r] = n, e[t] = i, t = r;
	}
}
var Cb = class {
	constructor(e, t, n) {
		this.minPoint = n, this.active = [], this.activeTo = [], this.activeRank = [], this.minActive = -1, this.point = null, this.pointFrom = 0, this.pointRank = 0, this.to = -1e9, this.endSide = 0, this.openStart = -1, this.cursor = xb.from(e, t, n);
	}
	goto(e, t = -1e9) {
		return this.cursor.goto(e, t), this.active.length = this.activeTo.length = this.activeRank.length = 0, this.minActive = -1, this.to = e, this.endSide = t, this.openStart = -1, this.next(), this;
	}
	forward(e, t) {
		for (; this.minActive > -1 && (this.activeTo[this.minActive] - e || this.active[this.minActive].endSide - t) < 0;) this.removeActive(this.minActive);
		this.cursor.forward(e, t);
	}
	removeActive(e) {
		Eb(this.active, e), Eb(this.activeTo, e), Eb(this.activeRank, e), this.minActive = Ob(this.active, this.activeTo);
	}
	addActive(e) {
		let t = 0, { value: n, to: r, rank: i } = this.cursor;
		for (; t < this.activeRank.length && (i - this.activeRank[t] || r - this.activeTo[t]) > 0;) t++;
		Db(this.active, t, n), Db(this.activeTo, t, r), Db(this.activeRank, t, i), e && Db(e, t, this.cursor.from), this.minActive = Ob(this.active, this.activeTo);
	}
	next() {
		let e = this.to, t = this.point;
		this.point = null;
		let n = this.openStart < 0 ? [] : null;
		for (;;) {
			let r = this.minActive;
			if (r > -1 && (this.activeTo[r] - this.cursor.from || this.active[r].endSide - this.cursor.startSide) < 0) {
				if (this.activeTo[r] > e) {
					this.to = this.activeTo[r], this.endSide = this.active[r].endSide;
					break;
				}
				this.removeActive(r), n && Eb(n, r);
			} else if (!this.cursor.value) {
				this.to = this.endSide = 1e9;
				break;
			} else if (this.cursor.from > e) {
				this.to = this.cursor.from, this.endSide = this.cursor.startSide;
				break;
			} else {
				let e = this.cursor.value;
				if (!e.point) this.addActive(n), this.cursor.next();
				else if (t && this.cursor.to == this.to && this.cursor.from < this.cursor.to) this.cursor.next();
				else {
					this.point = e, this.pointFrom = this.cursor.from, this.pointRank = this.cursor.rank, this.to = this.cursor.to, this.endSide = e.endSide, this.cursor.next(), this.forward(this.to, this.endSide);
					break;
				}
			}
		}
		if (n) {
			this.openStart = 0;
			for (let t = n.length - 1; t >= 0 && n[t] < e; t--) this.openStart++;
		}
	}
	activeForPoint(e) {
		if (!this.active.length) return this.active;
		let t = [];
		for (let n = this.active.length - 1; n >= 0 && !(this.activeRank[n] < this.pointRank); n--) (this.activeTo[n] > e || this.activeTo[n] == e && this.active[n].endSide >= this.point.endSide) && t.push(this.active[n]);
		return t.reverse();
	}
	openEnd(e) {
		let t = 0;
		for (let n = this.activeTo.length - 1; n >= 0 && this.activeTo[n] > e; n--) t++;
		return t;
	}
};
function wb(e, t, n, r, i, a) {
	e.goto(t), n.goto(r);
	let o = r + i, s = r, c = r - t, l = !!a.boundChange;
	for (let t = !1;;) {
		let r = e.to + c - n.to, i = r || e.endSide - n.endSide, u = i < 0 ? e.to + c : n.to, d = Math.min(u, o);
		if (e.point || n.point ? (e.point && n.point && db(e.point, n.point) && Tb(e.activeForPoint(e.to), n.activeForPoint(n.to)) || a.comparePoint(s, d, e.point, n.point), t = !1) : (t &&= (a.boundChange(s), !1), d > s && !Tb(e.active, n.active) && a.compareRange(s, d, e.active, n.active), l && d < o && (r || e.openEnd(u) != n.openEnd(u)) && (t = !0)), u > o) break;
		s = u, i <= 0 && e.next(), i >= 0 && n.next();
	}
}
function Tb(e, t) {
	if (e.length != t.length) return !1;
	for (let n = 0; n < e.length; n++) if (e[n] != t[n] && !db(e[n], t[n])) return !1;
	return !0;
}
function Eb(e, t) {
	for (let n = t, r = e.length - 1; n < r; n++) e[n] = e[n + 1];
	e.pop();
}
function Db(e, t, n) {
	for (let n = e.length - 1; n >= t; n--) e[n + 1] = e[n];
	e[t] = n;
}
function Ob(e, t) {
	let n = -1, r = 1e9;
	for (let i = 0; i < t.length; i++) (t[i] - r || e[i].endSide - e[n].endSide) < 0 && (n = i, r = t[i]);
	return n;
}
function kb(e, t, n = e.length) {
	let r = 0;
	for (let i = 0; i < n && i < e.length;) e.charCodeAt(i) == 9 ? (r += t - r % t, i++) : (r++, i = ty(e, i));
	return r;
}
function Ab(e, t, n, r) {
	for (let r = 0, i = 0;;) {
		if (i >= t) return r;
		if (r == e.length) break;
		i += e.charCodeAt(r) == 9 ? n - i % n : 1, r = ty(e, r);
	}
	return r === !0 ? -1 : e.length;
}
for (var jb = "ͼ", Mb = typeof Symbol > "u" ? "__ͼ" : Symbol.for(jb), Nb = typeof Symbol > "u" ? "__styleSet" + Math.floor(Math.random() * 1e8) : Symbol("styleSet"), Pb = typeof globalThis < "u" ? globalThis : typeof window < "u" ? window : {}, Fb = class {
	constructor(e, t) {
		this.rules = [];
		let { finish: n } = t || {};
		function r(e) {
			return /^@/.test(e) ? [e] : e.split(/,\s*/);
		}
		function i(e, t, a, o) {
			let s = [], c = /^@(\w+)\b/.exec(e[0]), l = c && c[1] == "keyframes";
			if (c && t == null) return a.push(e[0] + ";");
			for (let n in t) {
				let o = t[n];
				if (/&/.test(n)) i(n.split(/,\s*/).map((t) => e.map((e) => t.replace(/&/, e))).reduce((e, t) => e.concat(t)), o, a);
				else if (o && typeof o == "object") {
					if (!c) throw RangeError("The value of a property (" + n + ") should be a primitive value.");
					i(r(n), o, s, l);
				} else o != null && s.push(n.replace(/_.*/, "").replace(/[A-Z]/g, (e) => "-" + e.toLowerCase()) + ": " + o + ";");
			}
			(s.length || l) && a.push((n && !c && !o ? e.map(n) : e).join(", ") + " {" + s.join(" ") + "}");
		}
		for (let t in e) i(r(t), e[t], this.rules);
	}
	getRules() {
		return this.rules.join("\n");
	}
	static newName() {
		let e = Pb[Mb] || 1;
		return Pb[Mb] = e + 1, jb + e.toString(36);
	}
	static mount(e, t, n) {
		let r = e[Nb], i = n && n.nonce;
		r ? i && r.setNonce(i) : r = new Lb(e, i), r.mount(Array.isArray(t) ? t : [t], e);
	}
}, Ib = /* @__PURE__ */ new Map(), Lb = class {
	constructor(e, t) {
		let n = e.ownerDocument || e, r = n.defaultView;
		if (!e.head && e.adoptedStyleSheets && r.CSSStyleSheet) {
			let t = Ib.get(n);
			if (t) return e[Nb] = t;
			this.sheet = new r.CSSStyleSheet(), Ib.set(n, this);
		} else this.styleTag = n.createElement("style"), t && this.styleTag.setAttribute("nonce", t);
		this.modules = [], e[Nb] = this;
	}
	mount(e, t) {
		let n = this.sheet, r = 0, i = 0, a = !1;
		for (let t = 0; t < e.length; t++) {
			let o = e[t], s = this.modules.indexOf(o);
			if (s < i && s > -1 && (this.modules.splice(s, 1), a = !0, i--, s = -1), s == -1) {
				if (this.modules.splice(i++, 0, o), a = !0, n) for (let e = 0; e < o.rules.length; e++) n.insertRule(o.rules[e], r++);
			} else {
				for (; i < s;) r += this.modules[i++].rules.length;
				r += o.rules.length, i++;
			}
		}
		if (n) t.adoptedStyleSheets.indexOf(this.sheet) < 0 && (t.adoptedStyleSheets = [this.sheet, ...t.adoptedStyleSheets]);
		else {
			if (a) {
				let e = "";
				for (let t = 0; t < this.modules.length; t++) e += this.modules[t].getRules() + "\n";
				this.styleTag.textContent = e;
			}
			let e = t.head || t;
			this.styleTag.parentNode != e && e.insertBefore(this.styleTag, e.firstChild);
		}
	}
	setNonce(e) {
		this.styleTag && this.styleTag.getAttribute("nonce") != e && this.styleTag.setAttribute("nonce", e);
	}
}, Rb = {
	8: "Backspace",
	9: "Tab",
	10: "Enter",
	12: "NumLock",
	13: "Enter",
	16: "Shift",
	17: "Control",
	18: "Alt",
	20: "CapsLock",
	27: "Escape",
	32: " ",
	33: "PageUp",
	34: "PageDown",
	35: "End",
	36: "Home",
	37: "ArrowLeft",
	38: "ArrowUp",
	39: "ArrowRight",
	40: "ArrowDown",
	44: "PrintScreen",
	45: "Insert",
	46: "Delete",
	59: ";",
	61: "=",
	91: "Meta",
	92: "Meta",
	106: "*",
	107: "+",
	108: ",",
	109: "-",
	110: ".",
	111: "/",
	144: "NumLock",
	145: "ScrollLock",
	160: "Shift",
	161: "Shift",
	162: "Control",
	163: "Control",
	164: "Alt",
	165: "Alt",
	173: "-",
	186: ";",
	187: "=",
	188: ",",
	189: "-",
	190: ".",
	191: "/",
	192: "`",
	219: "[",
	220: "\\",
	221: "]",
	222: "'"
}, zb = {
	48: ")",
	49: "!",
	50: "@",
	51: "#",
	52: "$",
	53: "%",
	54: "^",
	55: "&",
	56: "*",
	57: "(",
	59: ":",
	61: "+",
	173: "_",
	186: ":",
	187: "+",
	188: "<",
	189: "_",
	190: ">",
	191: "?",
	192: "~",
	219: "{",
	220: "|",
	221: "}",
	222: "\""
}, Bb = typeof navigator < "u" && /Mac/.test(navigator.platform), Vb = typeof navigator < "u" && /MSIE \d|Trident\/(?:[7-9]|\d{2,})\..*rv:(\d+)/.exec(navigator.userAgent), Hb = 0; Hb < 10; Hb++) Rb[48 + Hb] = Rb[96 + Hb] = String(Hb);
for (var Hb = 1; Hb <= 24; Hb++) Rb[Hb + 111] = "F" + Hb;
for (var Hb = 65; Hb <= 90; Hb++) Rb[Hb] = String.fromCharCode(Hb + 32), zb[Hb] = String.fromCharCode(Hb);
for (var Ub in Rb) zb.hasOwnProperty(Ub) || (zb[Ub] = Rb[Ub]);
function Wb(e) {
	var t = !(Bb && e.metaKey && e.shiftKey && !e.ctrlKey && !e.altKey || Vb && e.shiftKey && e.key && e.key.length == 1 || e.key == "Unidentified") && e.key || (e.shiftKey ? zb : Rb)[e.keyCode] || e.key || "Unidentified";
	return t == "Esc" && (t = "Escape"), t == "Del" && (t = "Delete"), t == "Left" && (t = "ArrowLeft"), t == "Up" && (t = "ArrowUp"), t == "Right" && (t = "ArrowRight"), t == "Down" && (t = "ArrowDown"), t;
}
// node_modules/crelt/index.js
function Gb() {
	var e = arguments[0];
	typeof e == "string" && (e = document.createElement(e));
	var t = 1, n = arguments[1];
	if (n && typeof n == "object" && n.nodeType == null && !Array.isArray(n)) {
		for (var r in n) if (Object.prototype.hasOwnProperty.call(n, r)) {
			var i = n[r];
			typeof i == "string" ? e.setAttribute(r, i) : i != null && (e[r] = i);
		}
		t++;
	}
	for (; t < arguments.length; t++) Kb(e, arguments[t]);
	return e;
}
function Kb(e, t) {
	if (typeof t == "string") e.appendChild(document.createTextNode(t));
	else if (t != null) {
		if (t.nodeType != null) e.appendChild(t);
		else if (Array.isArray(t)) for (var n = 0; n < t.length; n++) Kb(e, t[n]);
		else throw RangeError("Unsupported child node: " + t);
	}
}
// node_modules/@codemirror/view/dist/index.js
var qb = typeof navigator < "u" ? navigator : {
	userAgent: "",
	vendor: "",
	platform: ""
}, Jb = typeof document < "u" ? document : { documentElement: { style: {} } }, Yb = /*@__PURE__*/ /Edge\/(\d+)/.exec(qb.userAgent), Xb = /*@__PURE__*/ /MSIE \d/.test(qb.userAgent), Zb = /*@__PURE__*/ /Trident\/(?:[7-9]|\d{2,})\..*rv:(\d+)/.exec(qb.userAgent), Qb = !!(Xb || Zb || Yb), $b = !Qb && /*@__PURE__*/ /gecko\/(\d+)/i.test(qb.userAgent), ex = !Qb && /*@__PURE__*/ /Chrome\/(\d+)/.exec(qb.userAgent), tx = "webkitFontSmoothing" in Jb.documentElement.style, nx = !Qb && /*@__PURE__*/ /Apple Computer/.test(qb.vendor), rx = nx && (/*@__PURE__*/ /Mobile\/\w+/.test(qb.userAgent) || qb.maxTouchPoints > 2), X = {
	mac: rx || /*@__PURE__*/ /Mac/.test(qb.platform),
	windows: /*@__PURE__*/ /Win/.test(qb.platform),
	linux: /*@__PURE__*/ /Linux|X11/.test(qb.platform),
	ie: Qb,
	ie_version: Xb ? Jb.documentMode || 6 : Zb ? +Zb[1] : Yb ? +Yb[1] : 0,
	gecko: $b,
	gecko_version: $b ? +(/*@__PURE__*/ /Firefox\/(\d+)/.exec(qb.userAgent) || [0, 0])[1] : 0,
	chrome: !!ex,
	chrome_version: ex ? +ex[1] : 0,
	ios: rx,
	android: /*@__PURE__*/ /Android\b/.test(qb.userAgent),
	webkit: tx,
	webkit_version: tx ? +(/*@__PURE__*/ /\bAppleWebKit\/(\d+)/.exec(qb.userAgent) || [0, 0])[1] : 0,
	safari: nx,
	safari_version: nx ? +(/*@__PURE__*/ /\bVersion\/(\d+(\.\d+)?)/.exec(qb.userAgent) || [0, 0])[1] : 0,
	tabSize: Jb.documentElement.style.tabSize == null ? "-moz-tab-size" : "tab-size"
};
function ix(e, t) {
	for (let n in e) n == "class" && t.class ? t.class += " " + e.class : n == "style" && t.style ? t.style += ";" + e.style : t[n] = e[n];
	return t;
}
var ax = /*@__PURE__*/ Object.create(null);
function ox(e, t, n) {
	if (e == t) return !0;
	e ||= ax, t ||= ax;
	let r = Object.keys(e), i = Object.keys(t);
	if (r.length - 0 != i.length - 0) return !1;
	for (let a of r) if (a != n && (i.indexOf(a) == -1 || e[a] !== t[a])) return !1;
	return !0;
}
function sx(e, t) {
	for (let n = e.attributes.length - 1; n >= 0; n--) {
		let r = e.attributes[n].name;
		t[r] ?? e.removeAttribute(r);
	}
	for (let n in t) {
		let r = t[n];
		n == "style" ? e.style.cssText = r : e.getAttribute(n) != r && e.setAttribute(n, r);
	}
}
function cx(e, t, n) {
	let r = !1;
	if (t) for (let i in t) n && i in n || (r = !0, i == "style" ? e.style.cssText = "" : e.removeAttribute(i));
	if (n) for (let i in n) t && t[i] == n[i] || (r = !0, i == "style" ? e.style.cssText = n[i] : e.setAttribute(i, n[i]));
	return r;
}
function lx(e) {
	let t = Object.create(null);
	for (let n = 0; n < e.attributes.length; n++) {
		let r = e.attributes[n];
		t[r.name] = r.value;
	}
	return t;
}
var ux = class {
	eq(e) {
		return !1;
	}
	updateDOM(e, t, n) {
		return !1;
	}
	compare(e) {
		return this == e || this.constructor == e.constructor && this.eq(e);
	}
	get estimatedHeight() {
		return -1;
	}
	get lineBreaks() {
		return 0;
	}
	ignoreEvent(e) {
		return !0;
	}
	coordsAt(e, t, n) {
		return null;
	}
	get isHidden() {
		return !1;
	}
	get editable() {
		return !1;
	}
	destroy(e) {}
}, dx = /*@__PURE__*/ (function(e) {
	return e[e.Text = 0] = "Text", e[e.WidgetBefore = 1] = "WidgetBefore", e[e.WidgetAfter = 2] = "WidgetAfter", e[e.WidgetRange = 3] = "WidgetRange", e;
})(dx ||= {}), fx = class extends ub {
	constructor(e, t, n, r) {
		super(), this.startSide = e, this.endSide = t, this.widget = n, this.spec = r;
	}
	get heightRelevant() {
		return !1;
	}
	static mark(e) {
		return new px(e);
	}
	static widget(e) {
		let t = Math.max(-1e4, Math.min(1e4, e.side || 0)), n = !!e.block;
		return t += n && !e.inlineOrder ? t > 0 ? 3e8 : -4e8 : t > 0 ? 1e8 : -1e8, new hx(e, t, t, n, e.widget || null, !1);
	}
	static replace(e) {
		let t = !!e.block, n, r;
		if (e.isBlockGap) n = -5e8, r = 4e8;
		else {
			let { start: i, end: a } = gx(e, t);
			n = (i ? t ? -3e8 : -1 : 5e8) - 1, r = (a ? t ? 2e8 : 1 : -6e8) + 1;
		}
		return new hx(e, n, r, t, e.widget || null, !0);
	}
	static line(e) {
		return new mx(e);
	}
	static set(e, t = !1) {
		return hb.of(e, t);
	}
	hasHeight() {
		return this.widget ? this.widget.estimatedHeight > -1 : !1;
	}
};
fx.none = hb.empty;
var px = class e extends fx {
	constructor(e) {
		let { start: t, end: n } = gx(e);
		super(t ? -1 : 5e8, n ? 1 : -6e8, null, e), this.tagName = e.tagName || "span", this.attrs = e.class && e.attributes ? ix(e.attributes, { class: e.class }) : e.class ? { class: e.class } : e.attributes || ax;
	}
	eq(t) {
		return this == t || t instanceof e && this.tagName == t.tagName && ox(this.attrs, t.attrs);
	}
	range(e, t = e) {
		if (e >= t) throw RangeError("Mark decorations may not be empty");
		return super.range(e, t);
	}
};
px.prototype.point = !1;
var mx = class e extends fx {
	constructor(e) {
		super(-2e8, -2e8, null, e);
	}
	eq(t) {
		return t instanceof e && this.spec.class == t.spec.class && ox(this.spec.attributes, t.spec.attributes);
	}
	range(e, t = e) {
		if (t != e) throw RangeError("Line decoration ranges must be zero-length");
		return super.range(e, t);
	}
};
mx.prototype.mapMode = cy.TrackBefore, mx.prototype.point = !0;
var hx = class e extends fx {
	constructor(e, t, n, r, i, a) {
		super(t, n, i, e), this.block = r, this.isReplace = a, this.mapMode = r ? t <= 0 ? cy.TrackBefore : cy.TrackAfter : cy.TrackDel;
	}
	get type() {
		return this.startSide == this.endSide ? this.startSide <= 0 ? dx.WidgetBefore : dx.WidgetAfter : dx.WidgetRange;
	}
	get heightRelevant() {
		return this.block || !!this.widget && (this.widget.estimatedHeight >= 5 || this.widget.lineBreaks > 0);
	}
	eq(t) {
		return t instanceof e && _x(this.widget, t.widget) && this.block == t.block && this.startSide == t.startSide && this.endSide == t.endSide;
	}
	range(e, t = e) {
		if (this.isReplace && (e > t || e == t && this.startSide > 0 && this.endSide <= 0)) throw RangeError("Invalid range for replacement decoration");
		if (!this.isReplace && t != e) throw RangeError("Widget decorations can only have zero-length ranges");
		return super.range(e, t);
	}
};
hx.prototype.point = !0;
function gx(e, t = !1) {
	let { inclusiveStart: n, inclusiveEnd: r } = e;
	return n ??= e.inclusive, r ??= e.inclusive, {
		start: n ?? t,
		end: r ?? t
	};
}
function _x(e, t) {
	return e == t || !!(e && t && e.compare(t));
}
function vx(e, t, n, r = 0) {
	let i = n.length - 1;
	i >= 0 && n[i] + r >= e ? n[i] = Math.max(n[i], t) : n.push(e, t);
}
var yx = class e extends ub {
	constructor(e, t, n) {
		super(), this.tagName = e, this.attributes = t, this.rank = n;
	}
	eq(t) {
		return t == this || t instanceof e && this.tagName == t.tagName && ox(this.attributes, t.attributes);
	}
	static create(t) {
		return new e(t.tagName, t.attributes || ax, t.rank == null ? 50 : Math.max(0, Math.min(t.rank, 100)));
	}
	static set(e, t = !1) {
		return hb.of(e, t);
	}
};
yx.prototype.startSide = yx.prototype.endSide = -1;
var bx = (e) => e.nodeType == 1, xx = (e) => e.nodeType == 3;
function Sx(e) {
	let t;
	return t = e.nodeType == 11 ? e.getSelection ? e : e.ownerDocument : e, t.getSelection();
}
function Cx(e, t) {
	return t ? e == t || e.contains(t.nodeType == 1 ? t : t.parentNode) : !1;
}
function wx(e, t) {
	if (!t.anchorNode) return !1;
	try {
		return Cx(e, t.anchorNode);
	} catch {
		return !1;
	}
}
function Tx(e) {
	return xx(e) ? Hx(e, 0, e.nodeValue.length).getClientRects() : bx(e) ? e.getClientRects() : [];
}
function Ex(e, t, n, r) {
	return n ? kx(e, t, n, r, -1) || kx(e, t, n, r, 1) : !1;
}
function Dx(e) {
	for (var t = 0;; t++) if (e = e.previousSibling, !e) return t;
}
function Ox(e) {
	return bx(e) && /^(DIV|P|LI|UL|OL|BLOCKQUOTE|DD|DT|H\d|SECTION|PRE)$/.test(e.nodeName);
}
function kx(e, t, n, r, i) {
	for (;;) {
		if (e == n && t == r) return !0;
		if (t == (i < 0 ? 0 : Ax(e))) {
			if (e.nodeName == "DIV") return !1;
			let n = e.parentNode;
			if (!n || !bx(n)) return !1;
			t = Dx(e) + (i < 0 ? 0 : 1), e = n;
		} else if (bx(e)) {
			if (e = e.childNodes[t + (i < 0 ? -1 : 0)], bx(e) && (e.nodeName == "IMG" || e.nodeName == "BR" || e.contentEditable == "false")) return !1;
			t = i < 0 ? Ax(e) : 0;
		} else return !1;
	}
}
function Ax(e) {
	return xx(e) ? e.nodeValue.length : e.childNodes.length;
}
function jx(e, t) {
	let { left: n, right: r } = e;
	if (n == r) return e;
	let i = t ? n : r;
	return {
		left: i,
		right: i,
		top: e.top,
		bottom: e.bottom
	};
}
function Mx(e) {
	let t = e.visualViewport;
	return t ? {
		left: 0,
		right: t.width,
		top: 0,
		bottom: t.height
	} : {
		left: 0,
		right: e.innerWidth,
		top: 0,
		bottom: e.innerHeight
	};
}
function Nx(e, t) {
	let n = t.width / e.offsetWidth, r = t.height / e.offsetHeight;
	return (n > .995 && n < 1.005 || !isFinite(n) || Math.abs(t.width - e.offsetWidth) < 1) && (n = 1), (r > .995 && r < 1.005 || !isFinite(r) || Math.abs(t.height - e.offsetHeight) < 1) && (r = 1), {
		scaleX: n,
		scaleY: r
	};
}
function Px(e, t, n, r, i, a, o, s) {
	let c = e.ownerDocument, l = c.defaultView || window;
	for (let u = e, d = !1; u && !d;) if (bx(u)) {
		let e, f = u == c.body, p = 1, m = 1, h = !0, g = !0;
		if (f) e = Mx(l);
		else {
			let t = getComputedStyle(u);
			if (/^(fixed|sticky)$/.test(t.position) && (d = !0), (u.scrollHeight <= u.clientHeight || !/auto|scroll/.test(t.overflowY)) && (g = !1), (u.scrollWidth <= u.clientWidth || !/auto|scroll/.test(t.overflowX)) && (h = !1), !h && !g) {
				u = u.assignedSlot || u.parentNode;
				continue;
			}
			let n = u.getBoundingClientRect();
			({scaleX: p, scaleY: m} = Nx(u, n)), e = {
				left: n.left,
				right: n.left + u.clientWidth * p,
				top: n.top,
				bottom: n.top + u.clientHeight * m
			};
		}
		let _ = 0, v = 0;
		if (g) {
			if (i == "nearest") t.top < e.top + o ? (v = t.top - (e.top + o), n > 0 && t.bottom > e.bottom + v && (v = t.bottom - e.bottom + o)) : t.bottom > e.bottom - o && (v = t.bottom - e.bottom + o, n < 0 && t.top - v < e.top && (v = t.top - (e.top + o)));
			else {
				let r = t.bottom - t.top, a = e.bottom - e.top;
				v = (i == "center" && r <= a ? t.top + r / 2 - a / 2 : i == "start" || i == "center" && n < 0 ? t.top - o : t.bottom - a + o) - e.top;
			}
		}
		if (h && (r == "nearest" ? t.left < e.left + a ? (_ = t.left - (e.left + a), n > 0 && t.right > e.right + _ && (_ = t.right - e.right + a)) : t.right > e.right - a && (_ = t.right - e.right + a, n < 0 && t.left < e.left + _ && (_ = t.left - (e.left + a))) : _ = (r == "center" ? t.left + (t.right - t.left) / 2 - (e.right - e.left) / 2 : r == "start" == s ? t.left - a : t.right - (e.right - e.left) + a) - e.left), _ || v) {
			if (f) l.scrollBy(_, v);
			else {
				let e = 0, n = 0;
				if (v) {
					let e = u.scrollTop;
					u.scrollTop += v / m, n = (u.scrollTop - e) * m;
				}
				if (_) {
					let t = u.scrollLeft;
					u.scrollLeft += _ / p, e = (u.scrollLeft - t) * p;
				}
				t = {
					left: t.left - e,
					top: t.top - n,
					right: t.right - e,
					bottom: t.bottom - n
				}, e && Math.abs(e - _) < 1 && (r = "nearest"), n && Math.abs(n - v) < 1 && (i = "nearest");
			}
		}
		if (f) break;
		(t.top < e.top || t.bottom > e.bottom || t.left < e.left || t.right > e.right) && (t = {
			left: Math.max(t.left, e.left),
			right: Math.min(t.right, e.right),
			top: Math.max(t.top, e.top),
			bottom: Math.min(t.bottom, e.bottom)
		}), u = u.assignedSlot || u.parentNode;
	} else if (u.nodeType == 11) u = u.host;
	else break;
}
function Fx(e, t = !0) {
	let n = e.ownerDocument, r = null, i = null;
	for (let a = e.parentNode; a && !(a == n.body || (!t || r) && i);) if (bx(a)) !i && a.scrollHeight > a.clientHeight && /scroll|auto/.test(getComputedStyle(a).overflowY) && (i = a), t && !r && a.scrollWidth > a.clientWidth && /scroll|auto/.test(getComputedStyle(a).overflowX) && (r = a), a = a.assignedSlot || a.parentNode;
	else if (a.nodeType == 11) a = a.host;
	else break;
	return {
		x: r,
		y: i
	};
}
var Ix = class {
	constructor() {
		this.anchorNode = null, this.anchorOffset = 0, this.focusNode = null, this.focusOffset = 0;
	}
	eq(e) {
		return this.anchorNode == e.anchorNode && this.anchorOffset == e.anchorOffset && this.focusNode == e.focusNode && this.focusOffset == e.focusOffset;
	}
	setRange(e) {
		let { anchorNode: t, focusNode: n } = e;
		this.set(t, Math.min(e.anchorOffset, t ? Ax(t) : 0), n, Math.min(e.focusOffset, n ? Ax(n) : 0));
	}
	set(e, t, n, r) {
		this.anchorNode = e, this.anchorOffset = t, this.focusNode = n, this.focusOffset = r;
	}
};
function Lx(e) {
	let t = [];
	for (let n = e; n; n = n.nodeType == 11 ? n.host : n.parentNode) bx(n) && t.push({
		node: n,
		left: n.scrollLeft,
		top: n.scrollTop
	});
	return t;
}
function Rx(e, t = !0) {
	for (let { node: n, left: r, top: i } of e) t && n.scrollTop != i && (n.scrollTop = i), n.scrollLeft != r && (n.scrollLeft = r);
}
var zx = null;
X.safari && X.safari_version >= 26 && (zx = !1);
function Bx(e) {
	if (e.setActive) return e.setActive();
	if (zx) return e.focus(zx);
	let t = Lx(e);
	e.focus(zx == null ? { get preventScroll() {
		return zx = { preventScroll: !0 }, !0;
	} } : void 0), zx || (zx = !1, Rx(t));
}
var Vx;
function Hx(e, t, n = t) {
	let r = Vx ||= document.createRange();
	return r.setEnd(e, n), r.setStart(e, t), r;
}
function Ux(e, t, n, r) {
	let i = {
		key: t,
		code: t,
		keyCode: n,
		which: n,
		cancelable: !0
	};
	r && ({altKey: i.altKey, ctrlKey: i.ctrlKey, shiftKey: i.shiftKey, metaKey: i.metaKey} = r);
	let a = new KeyboardEvent("keydown", i);
	a.synthetic = !0, e.dispatchEvent(a);
	let o = new KeyboardEvent("keyup", i);
	return o.synthetic = !0, e.dispatchEvent(o), a.defaultPrevented || o.defaultPrevented;
}
function Wx(e) {
	for (; e;) {
		if (e && (e.nodeType == 9 || e.nodeType == 11 && e.host)) return e;
		e = e.assignedSlot || e.parentNode;
	}
	return null;
}
function Gx(e, t) {
	let n = t.focusNode, r = t.focusOffset;
	if (!n || t.anchorNode != n || t.anchorOffset != r) return !1;
	for (r = Math.min(r, Ax(n));;) if (r) {
		if (!bx(n)) return !1;
		let e = n.childNodes[r - 1];
		e.contentEditable == "false" ? r-- : (n = e, r = Ax(n));
	} else if (n == e) return !0;
	else r = Dx(n), n = n.parentNode;
}
function Kx(e) {
	return e instanceof Window ? e.pageYOffset > Math.max(0, e.document.documentElement.scrollHeight - e.innerHeight - 4) : e.scrollTop > Math.max(1, e.scrollHeight - e.clientHeight - 4);
}
function qx(e, t) {
	for (let n = e, r = t;;) if (xx(n) && r > 0) return {
		node: n,
		offset: r
	};
	else if (bx(n) && r > 0) {
		if (n.contentEditable == "false") return null;
		n = n.childNodes[r - 1], r = Ax(n);
	} else if (n.parentNode && !Ox(n)) r = Dx(n), n = n.parentNode;
	else return null;
}
function Jx(e, t) {
	for (let n = e, r = t;;) if (xx(n) && r < n.nodeValue.length) return {
		node: n,
		offset: r
	};
	else if (bx(n) && r < n.childNodes.length) {
		if (n.contentEditable == "false") return null;
		n = n.childNodes[r], r = 0;
	} else if (n.parentNode && !Ox(n)) r = Dx(n) + 1, n = n.parentNode;
	else return null;
}
var Yx = class e {
	constructor(e, t, n = !0) {
		this.node = e, this.offset = t, this.precise = n;
	}
	static before(t, n) {
		return new e(t.parentNode, Dx(t), n);
	}
	static after(t, n) {
		return new e(t.parentNode, Dx(t) + 1, n);
	}
}, Xx = /*@__PURE__*/ (function(e) {
	return e[e.LTR = 0] = "LTR", e[e.RTL = 1] = "RTL", e;
})(Xx ||= {}), Zx = Xx.LTR, Qx = Xx.RTL;
function $x(e) {
	let t = [];
	for (let n = 0; n < e.length; n++) t.push(1 << e[n]);
	return t;
}
var eS = /*@__PURE__*/ $x("88888888888888888888888888888888888666888888787833333333337888888000000000000000000000000008888880000000000000000000000000088888888888888888888888888888888888887866668888088888663380888308888800000000000000000000000800000000000000000000000000000008"), tS = /*@__PURE__*/ $x("4444448826627288999999999992222222222222222222222222222222222222222222222229999999999999999999994444444444644222822222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222999999949999999229989999223333333333"), nS = /*@__PURE__*/ Object.create(null), rS = [];
for (let e of [
	"()",
	"[]",
	"{}"
]) {
	let t = /*@__PURE__*/ e.charCodeAt(0), n = /*@__PURE__*/ e.charCodeAt(1);
	nS[t] = n, nS[n] = -t;
}
function iS(e) {
	return e <= 247 ? eS[e] : 1424 <= e && e <= 1524 ? 2 : 1536 <= e && e <= 1785 ? tS[e - 1536] : 1774 <= e && e <= 2220 ? 4 : 8192 <= e && e <= 8204 ? 256 : 64336 <= e && e <= 65023 ? 4 : 1;
}
var aS = /[\u0590-\u05f4\u0600-\u06ff\u0700-\u08ac\ufb50-\ufdff]/, oS = class {
	get dir() {
		return this.level % 2 ? Qx : Zx;
	}
	constructor(e, t, n) {
		this.from = e, this.to = t, this.level = n;
	}
	side(e, t) {
		return this.dir == t == e ? this.to : this.from;
	}
	forward(e, t) {
		return e == (this.dir == t);
	}
	static find(e, t, n, r) {
		let i = -1;
		for (let a = 0; a < e.length; a++) {
			let o = e[a];
			if (o.from <= t && o.to >= t) {
				if (o.level == n) return a;
				(i < 0 || (r == 0 ? e[i].level > o.level : r < 0 ? o.from < t : o.to > t)) && (i = a);
			}
		}
		if (i < 0) throw RangeError("Index out of range");
		return i;
	}
};
function sS(e, t) {
	if (e.length != t.length) return !1;
	for (let n = 0; n < e.length; n++) {
		let r = e[n], i = t[n];
		if (r.from != i.from || r.to != i.to || r.direction != i.direction || !sS(r.inner, i.inner)) return !1;
	}
	return !0;
}
var cS = [];
function lS(e, t, n, r, i) {
	for (let a = 0; a <= r.length; a++) {
		let o = a ? r[a - 1].to : t, s = a < r.length ? r[a].from : n, c = a ? 256 : i;
		for (let t = o, n = c, r = c; t < s; t++) {
			let i = iS(e.charCodeAt(t));
			i == 512 ? i = n : i == 8 && r == 4 && (i = 16), cS[t] = i == 4 ? 2 : i, i & 7 && (r = i), n = i;
		}
		for (let e = o, t = c, r = c; e < s; e++) {
			let i = cS[e];
			if (i == 128) e < s - 1 && t == cS[e + 1] && t & 24 ? i = cS[e] = t : cS[e] = 256;
			else if (i == 64) {
				let i = e + 1;
				for (; i < s && cS[i] == 64;) i++;
				let a = e && t == 8 || i < n && cS[i] == 8 ? r == 1 ? 1 : 8 : 256;
				for (let t = e; t < i; t++) cS[t] = a;
				e = i - 1;
			} else i == 8 && r == 1 && (cS[e] = 1);
			t = i, i & 7 && (r = i);
		}
	}
}
function uS(e, t, n, r, i) {
	let a = i == 1 ? 2 : 1;
	for (let o = 0, s = 0, c = 0; o <= r.length; o++) {
		let l = o ? r[o - 1].to : t, u = o < r.length ? r[o].from : n;
		for (let t = l, n, r, o; t < u; t++) if (r = nS[n = e.charCodeAt(t)]) {
			if (r < 0) {
				for (let e = s - 3; e >= 0; e -= 3) if (rS[e + 1] == -r) {
					let n = rS[e + 2], r = n & 2 ? i : n & 4 ? n & 1 ? a : i : 0;
					r && (cS[t] = cS[rS[e]] = r), s = e;
					break;
				}
			} else if (rS.length == 189) break;
			else rS[s++] = t, rS[s++] = n, rS[s++] = c;
		} else if ((o = cS[t]) == 2 || o == 1) {
			let e = o == i;
			c = +!e;
			for (let t = s - 3; t >= 0; t -= 3) {
				let n = rS[t + 2];
				if (n & 2) break;
				if (e) rS[t + 2] |= 2;
				else {
					if (n & 4) break;
					rS[t + 2] |= 4;
				}
			}
		}
	}
}
function dS(e, t, n, r) {
	for (let i = 0, a = r; i <= n.length; i++) {
		let o = i ? n[i - 1].to : e, s = i < n.length ? n[i].from : t;
		for (let c = o; c < s;) {
			let o = cS[c];
			if (o == 256) {
				let o = c + 1;
				for (;;) if (o == s) {
					if (i == n.length) break;
					o = n[i++].to, s = i < n.length ? n[i].from : t;
				} else if (cS[o] == 256) o++;
				else break;
				let l = a == 1, u = l == ((o < t ? cS[o] : r) == 1) ? l ? 1 : 2 : r;
				for (let t = o, r = i, a = r ? n[r - 1].to : e; t > c;) t == a && (t = n[--r].from, a = r ? n[r - 1].to : e), cS[--t] = u;
				c = o;
			} else a = o, c++;
		}
	}
}
function fS(e, t, n, r, i, a, o) {
	let s = r % 2 ? 2 : 1;
	if (r % 2 == i % 2) for (let c = t, l = 0; c < n;) {
		let t = !0, u = !1;
		if (l == a.length || c < a[l].from) {
			let e = cS[c];
			e != s && (t = !1, u = e == 16);
		}
		let d = !t && s == 1 ? [] : null, f = t ? r : r + 1, p = c;
		run: for (;;) if (l < a.length && p == a[l].from) {
			if (u) break run;
			let m = a[l];
			if (!t) for (let e = m.to, t = l + 1;;) {
				if (e == n) break run;
				if (t < a.length && a[t].from == e) e = a[t++].to;
				else if (cS[e] == s) break run;
				else break;
			}
			l++, d ? d.push(m) : (m.from > c && o.push(new oS(c, m.from, f)), pS(e, m.direction == Zx == !(f % 2) ? r : r + 1, i, m.inner, m.from, m.to, o), c = m.to), p = m.to;
		} else if (p == n || (t ? cS[p] != s : cS[p] == s)) break;
		else p++;
		d ? fS(e, c, p, r + 1, i, d, o) : c < p && o.push(new oS(c, p, f)), c = p;
	}
	else for (let c = n, l = a.length; c > t;) {
		let n = !0, u = !1;
		if (!l || c > a[l - 1].to) {
			let e = cS[c - 1];
			e != s && (n = !1, u = e == 16);
		}
		let d = !n && s == 1 ? [] : null, f = n ? r : r + 1, p = c;
		run: for (;;) if (l && p == a[l - 1].to) {
			if (u) break run;
			let m = a[--l];
			if (!n) for (let e = m.from, n = l;;) {
				if (e == t) break run;
				if (n && a[n - 1].to == e) e = a[--n].from;
				else if (cS[e - 1] == s) break run;
				else break;
			}
			d ? d.push(m) : (m.to < c && o.push(new oS(m.to, c, f)), pS(e, m.direction == Zx == !(f % 2) ? r : r + 1, i, m.inner, m.from, m.to, o), c = m.from), p = m.from;
		} else if (p == t || (n ? cS[p - 1] != s : cS[p - 1] == s)) break;
		else p--;
		d ? fS(e, p, c, r + 1, i, d, o) : p < c && o.push(new oS(p, c, f)), c = p;
	}
}
function pS(e, t, n, r, i, a, o) {
	let s = t % 2 ? 2 : 1;
	lS(e, i, a, r, s), uS(e, i, a, r, s), dS(i, a, r, s), fS(e, i, a, t, n, r, o);
}
function mS(e, t, n) {
	if (!e) return [new oS(0, 0, +(t == Qx))];
	if (t == Zx && !n.length && !aS.test(e)) return hS(e.length);
	if (n.length) for (; e.length > cS.length;) cS[cS.length] = 256;
	let r = [], i = t == Zx ? 0 : 1;
	return pS(e, i, i, n, 0, e.length, r), r;
}
function hS(e) {
	return [new oS(0, e, 0)];
}
var gS = "";
function _S(e, t, n, r, i) {
	if (!e.length) return null;
	let a = r.head - e.from, o;
	if (r.head == e.from && r.assoc < 0) {
		if (!i) return null;
		a = t[o = 0].side(!1, n);
	} else if (r.head == e.to && r.assoc > 0) {
		if (i) return null;
		a = t[o = t.length - 1].side(!0, n);
	} else o = oS.find(t, a, r.bidiLevel ?? -1, r.assoc);
	let s = t[o], c = s.side(i, n);
	if (a == c) {
		let e = o += i ? 1 : -1;
		if (e < 0 || e >= t.length) return null;
		s = t[o = e], a = s.side(!i, n), c = s.side(i, n);
	}
	let l = ty(e.text, a, s.forward(i, n));
	(l < s.from || l > s.to) && (l = c), gS = e.text.slice(Math.min(a, l), Math.max(a, l));
	let u = o == (i ? t.length - 1 : 0) ? null : t[o + (i ? 1 : -1)];
	if (l == c) {
		if (!u) return i ? J.cursor(e.to, 1) : J.cursor(e.from, -1);
		if (u.level + +!i < s.level) return J.cursor(u.side(!i, n) + e.from, u.forward(i, n) ? 1 : -1, u.level);
	}
	return J.cursor(l + e.from, s.forward(i, n) ? -1 : 1, s.level);
}
function vS(e, t, n) {
	for (let r = t; r < n; r++) {
		let t = iS(e.charCodeAt(r));
		if (t == 1) return Zx;
		if (t == 2 || t == 4) return Qx;
	}
}
var yS = /*@__PURE__*/ Y.define(), bS = /*@__PURE__*/ Y.define(), xS = /*@__PURE__*/ Y.define(), SS = /*@__PURE__*/ Y.define(), CS = /*@__PURE__*/ Y.define(), wS = /*@__PURE__*/ Y.define(), TS = /*@__PURE__*/ Y.define(), ES = /*@__PURE__*/ Y.define(), DS = /*@__PURE__*/ Y.define(), OS = /*@__PURE__*/ Y.define({ combine: (e) => e.some((e) => e) }), kS = /*@__PURE__*/ Y.define({ combine: (e) => e.some((e) => e) }), AS = /*@__PURE__*/ Y.define(), jS = class e {
	constructor(e, t, n, r, i, a = !1) {
		this.range = e, this.y = t, this.x = n, this.yMargin = r, this.xMargin = i, this.isSnapshot = a;
	}
	map(t) {
		return t.empty ? this : new e(this.range.map(t), this.y, this.x, this.yMargin, this.xMargin, this.isSnapshot);
	}
	clip(t) {
		return this.range.to <= t.doc.length ? this : new e(J.cursor(t.doc.length), this.y, this.x, this.yMargin, this.xMargin, this.isSnapshot);
	}
}, MS = /*@__PURE__*/ qy.define({ map: (e, t) => e.map(t) }), NS = /*@__PURE__*/ qy.define();
function PS(e, t, n) {
	let r = e.facet(SS);
	r.length ? r[0](t) : window.onerror && window.onerror(String(t), n, void 0, void 0, t) || (n ? console.error(n + ":", t) : console.error(t));
}
var FS = /*@__PURE__*/ Y.define({ combine: (e) => !e.length || e[0] }), IS = 0, LS = /*@__PURE__*/ Y.define({ combine(e) {
	return e.filter((t, n) => {
		for (let r = 0; r < n; r++) if (e[r].plugin == t.plugin) return !1;
		return !0;
	});
} }), RS = class e {
	constructor(e, t, n, r, i) {
		this.id = e, this.create = t, this.domEventHandlers = n, this.domEventObservers = r, this.baseExtensions = i(this), this.extension = this.baseExtensions.concat(LS.of({
			plugin: this,
			arg: void 0
		}));
	}
	of(e) {
		return this.baseExtensions.concat(LS.of({
			plugin: this,
			arg: e
		}));
	}
	static define(t, n) {
		let { eventHandlers: r, eventObservers: i, provide: a, decorations: o } = n || {};
		return new e(IS++, t, r, i, (e) => {
			let t = [];
			return o && t.push(HS.of((t) => {
				let n = t.plugin(e);
				return n ? o(n) : fx.none;
			})), a && t.push(a(e)), t;
		});
	}
	static fromClass(t, n) {
		return e.define((e, n) => new t(e, n), n);
	}
}, zS = class {
	constructor(e) {
		this.spec = e, this.mustUpdate = null, this.value = null;
	}
	get plugin() {
		return this.spec && this.spec.plugin;
	}
	update(e) {
		if (!this.value) {
			if (this.spec) try {
				this.value = this.spec.plugin.create(e, this.spec.arg);
			} catch (t) {
				PS(e.state, t, "CodeMirror plugin crashed"), this.deactivate();
			}
		} else if (this.mustUpdate) {
			let e = this.mustUpdate;
			if (this.mustUpdate = null, this.value.update) try {
				this.value.update(e);
			} catch (t) {
				if (PS(e.state, t, "CodeMirror plugin crashed"), this.value.destroy) try {
					this.value.destroy();
				} catch {}
				this.deactivate();
			}
		}
		return this;
	}
	destroy(e) {
		if (this.value?.destroy) try {
			this.value.destroy();
		} catch (t) {
			PS(e.state, t, "CodeMirror plugin crashed");
		}
	}
	deactivate() {
		this.spec = this.value = null;
	}
}, BS = /*@__PURE__*/ Y.define(), VS = /*@__PURE__*/ Y.define(), HS = /*@__PURE__*/ Y.define(), US = /*@__PURE__*/ Y.define(), WS = /*@__PURE__*/ Y.define(), GS = /*@__PURE__*/ Y.define(), KS = /*@__PURE__*/ Y.define();
function qS(e, t) {
	let n = e.state.facet(KS);
	if (!n.length) return n;
	let r = n.map((t) => t instanceof Function ? t(e) : t), i = [];
	return hb.spans(r, t.from, t.to, {
		point() {},
		span(e, n, r, a) {
			let o = e - t.from, s = n - t.from, c = i;
			for (let e = r.length - 1; e >= 0; e--, a--) {
				let t = r[e].spec.bidiIsolate, n;
				if (a > 0 && c.length && (n = c[c.length - 1]).to == o && n.direction == t) n.to = s, c = n.inner;
				else {
					let e = {
						from: o,
						to: s,
						direction: t,
						inner: []
					};
					c.push(e), c = e.inner;
				}
			}
		}
	}), JS(t.text, i);
}
function JS(e, t) {
	for (let n of t) {
		if (n.direction == null) {
			for (let t = n.from, r = 0; t < n.to; r++) {
				let i = r < n.inner.length ? n.inner[r] : null, a = vS(e, t, i ? i.from : n.to);
				if (a) {
					n.direction = a;
					break;
				}
				if (!i) break;
				t = i.to;
			}
			n.direction ??= Xx.LTR;
		}
		JS(e, n.inner);
	}
	return t;
}
var YS = /*@__PURE__*/ Y.define();
function XS(e) {
	let t = 0, n = 0, r = 0, i = 0;
	for (let a of e.state.facet(YS)) {
		let o = a(e);
		o && (o.left != null && (t = Math.max(t, o.left)), o.right != null && (n = Math.max(n, o.right)), o.top != null && (r = Math.max(r, o.top)), o.bottom != null && (i = Math.max(i, o.bottom)));
	}
	return {
		left: t,
		right: n,
		top: r,
		bottom: i
	};
}
var ZS = /*@__PURE__*/ Y.define(), QS = class e {
	constructor(e, t, n, r) {
		this.fromA = e, this.toA = t, this.fromB = n, this.toB = r;
	}
	join(t) {
		return new e(Math.min(this.fromA, t.fromA), Math.max(this.toA, t.toA), Math.min(this.fromB, t.fromB), Math.max(this.toB, t.toB));
	}
	addToSet(e) {
		let t = e.length, n = this;
		for (; t > 0; t--) {
			let r = e[t - 1];
			if (!(r.fromA > n.toA)) {
				if (r.toA < n.fromA) break;
				n = n.join(r), e.splice(t - 1, 1);
			}
		}
		return e.splice(t, 0, n), e;
	}
	static extendWithRanges(t, n) {
		if (n.length == 0) return t;
		let r = [];
		for (let i = 0, a = 0, o = 0;;) {
			let s = i < t.length ? t[i].fromB : 1e9, c = a < n.length ? n[a] : 1e9, l = Math.min(s, c);
			if (l == 1e9) break;
			let u = l + o, d = l, f = u;
			for (;;) if (a < n.length && n[a] <= d) {
				let e = n[a + 1];
				a += 2, d = Math.max(d, e);
				for (let e = i; e < t.length && t[e].fromB <= d; e++) o = t[e].toA - t[e].toB;
				f = Math.max(f, e + o);
			} else if (i < t.length && t[i].fromB <= d) {
				let e = t[i++];
				d = Math.max(d, e.toB), f = Math.max(f, e.toA), o = e.toA - e.toB;
			} else break;
			r.push(new e(u, f, l, d));
		}
		return r;
	}
}, $S = class e {
	constructor(e, t, n) {
		this.view = e, this.state = t, this.transactions = n, this.flags = 0, this.startState = e.state, this.changes = uy.empty(this.startState.doc.length);
		for (let e of n) this.changes = this.changes.compose(e.changes);
		let r = [];
		this.changes.iterChangedRanges((e, t, n, i) => r.push(new QS(e, t, n, i))), this.changedRanges = r;
	}
	static create(t, n, r) {
		return new e(t, n, r);
	}
	get viewportChanged() {
		return (this.flags & 4) > 0;
	}
	get viewportMoved() {
		return (this.flags & 8) > 0;
	}
	get heightChanged() {
		return (this.flags & 2) > 0;
	}
	get geometryChanged() {
		return this.docChanged || (this.flags & 18) > 0;
	}
	get focusChanged() {
		return (this.flags & 1) > 0;
	}
	get docChanged() {
		return !this.changes.empty;
	}
	get selectionSet() {
		return this.transactions.some((e) => e.selection);
	}
	get empty() {
		return this.flags == 0 && this.transactions.length == 0;
	}
}, eC = [], tC = class {
	constructor(e, t, n = 0) {
		this.dom = e, this.length = t, this.flags = n, this.parent = null, e.cmTile = this;
	}
	get breakAfter() {
		return this.flags & 1;
	}
	get children() {
		return eC;
	}
	isWidget() {
		return !1;
	}
	get isHidden() {
		return !1;
	}
	isComposite() {
		return !1;
	}
	isLine() {
		return !1;
	}
	isText() {
		return !1;
	}
	isBlock() {
		return !1;
	}
	get domAttrs() {
		return null;
	}
	sync(e) {
		if (this.flags |= 2, this.flags & 4) {
			this.flags &= -5;
			let e = this.domAttrs;
			e && sx(this.dom, e);
		}
	}
	toString() {
		return this.constructor.name + (this.children.length ? `(${this.children})` : "") + (this.breakAfter ? "#" : "");
	}
	destroy() {
		this.parent = null;
	}
	setDOM(e) {
		this.dom = e, e.cmTile = this;
	}
	get posAtStart() {
		return this.parent ? this.parent.posBefore(this) : 0;
	}
	get posAtEnd() {
		return this.posAtStart + this.length;
	}
	posBefore(e, t = this.posAtStart) {
		let n = t;
		for (let t of this.children) {
			if (t == e) return n;
			n += t.length + t.breakAfter;
		}
		throw RangeError("Invalid child in posBefore");
	}
	posAfter(e) {
		return this.posBefore(e) + e.length;
	}
	covers(e) {
		return !0;
	}
	coordsIn(e, t, n) {
		return null;
	}
	domPosFor(e, t) {
		let n = Dx(this.dom), r = this.length ? e > 0 : t > 0;
		return new Yx(this.parent.dom, n + +!!r, e == 0 || e == this.length);
	}
	markDirty(e) {
		this.flags &= -3, e && (this.flags |= 4), this.parent && this.parent.flags & 2 && this.parent.markDirty(!1);
	}
	get overrideDOMText() {
		return null;
	}
	get root() {
		for (let e = this; e; e = e.parent) if (e instanceof iC) return e;
		return null;
	}
	static get(e) {
		return e.cmTile;
	}
}, nC = class extends tC {
	constructor(e) {
		super(e, 0), this._children = [];
	}
	isComposite() {
		return !0;
	}
	get children() {
		return this._children;
	}
	get lastChild() {
		return this.children.length ? this.children[this.children.length - 1] : null;
	}
	append(e) {
		this.children.push(e), e.parent = this;
	}
	sync(e) {
		if (this.flags & 2) return;
		super.sync(e);
		let t = this.dom, n = null, r, i = e?.node == t ? e : null, a = 0;
		for (let o of this.children) {
			if (o.sync(e), a += o.length + o.breakAfter, r = n ? n.nextSibling : t.firstChild, i && r != o.dom && (i.written = !0), o.dom.parentNode == t) for (; r && r != o.dom;) r = rC(r);
			else t.insertBefore(o.dom, r);
			n = o.dom;
		}
		for (r = n ? n.nextSibling : t.firstChild, i && r && (i.written = !0); r;) r = rC(r);
		this.length = a;
	}
};
function rC(e) {
	let t = e.nextSibling;
	return e.parentNode.removeChild(e), t;
}
var iC = class extends nC {
	constructor(e, t) {
		super(t), this.view = e;
	}
	owns(e) {
		for (; e; e = e.parent) if (e == this) return !0;
		return !1;
	}
	isBlock() {
		return !0;
	}
	nearest(e) {
		for (;;) {
			if (!e) return null;
			let t = tC.get(e);
			if (t && this.owns(t)) return t;
			e = e.parentNode;
		}
	}
	blockTiles(e) {
		for (let t = [], n = this, r = 0, i = 0;;) if (r == n.children.length) {
			if (!t.length) return;
			n = n.parent, n.breakAfter && i++, r = t.pop();
		} else {
			let a = n.children[r++];
			if (a instanceof aC) t.push(r), n = a, r = 0;
			else {
				let t = i + a.length, n = e(a, i);
				if (n !== void 0) return n;
				i = t + a.breakAfter;
			}
		}
	}
	resolveBlock(e, t) {
		let n, r = -1, i, a = -1;
		if (this.blockTiles((o, s) => {
			let c = s + o.length;
			if (e >= s && e <= c) {
				if (o.isWidget() && t >= -1 && t <= 1) {
					if (o.flags & 32) return !0;
					o.flags & 16 && (n = void 0);
				}
				(s < e || e == c && (t < -1 ? o.length : o.covers(1))) && (!n || !o.isWidget() && n.isWidget()) && (n = o, r = e - s), (c > e || e == s && (t > 1 ? o.length : o.covers(-1))) && (!i || !o.isWidget() && i.isWidget()) && (i = o, a = e - s);
			}
		}), !n && !i) throw Error("No tile at position " + e);
		return n && t < 0 || !i ? {
			tile: n,
			offset: r
		} : {
			tile: i,
			offset: a
		};
	}
}, aC = class e extends nC {
	constructor(e, t) {
		super(e), this.wrapper = t;
	}
	isBlock() {
		return !0;
	}
	covers(e) {
		return this.children.length ? e < 0 ? this.children[0].covers(-1) : this.lastChild.covers(1) : !1;
	}
	get domAttrs() {
		return this.wrapper.attributes;
	}
	static of(t, n) {
		let r = new e(n || document.createElement(t.tagName), t);
		return n || (r.flags |= 4), r;
	}
}, oC = class e extends nC {
	constructor(e, t) {
		super(e), this.attrs = t;
	}
	isLine() {
		return !0;
	}
	static start(t, n, r) {
		let i = new e(n || document.createElement("div"), t);
		return n && r || (i.flags |= 4), i;
	}
	get domAttrs() {
		return this.attrs;
	}
	resolveInline(e, t, n = !1) {
		let r = null, i = -1, a = null, o = -1;
		function s(e, c) {
			for (let l = 0, u = 0; l < e.children.length && u <= c; l++) {
				let d = e.children[l], f = u + d.length;
				f >= c && (d.isComposite() ? s(d, c - u) : (!a || n && a.isHidden && (t > 0 && !(a.flags & 32) || n && cC(a, d))) && (f > c || d.flags & 32 && t <= 1) ? (a = d, o = c - u) : (u < c || d.flags & 16 && !(n && d.isHidden) && t >= -1) && (r = d, i = c - u)), u = f;
			}
		}
		s(this, e);
		let c = (t < 0 ? r : a) || r || a;
		return c ? {
			tile: c,
			offset: c == r ? i : o
		} : null;
	}
	coordsIn(e, t, n) {
		let r = this.resolveInline(e, t, !0);
		return r ? r.tile.coordsIn(Math.max(0, r.offset), t, n) : sC(this);
	}
	domIn(e, t) {
		let n = this.resolveInline(e, t);
		if (n) {
			let { tile: e, offset: r } = n;
			if (this.dom.contains(e.dom)) return e.isText() ? new Yx(e.dom, Math.min(e.dom.nodeValue.length, r)) : e.domPosFor(r, e.flags & 16 ? 1 : e.flags & 32 ? -1 : t);
			let i = n.tile.parent, a = !1;
			for (let e of i.children) {
				if (a) return new Yx(e.dom, 0);
				e == n.tile && (a = !0);
			}
		}
		return new Yx(this.dom, 0);
	}
};
function sC(e) {
	let t = e.dom.lastChild;
	if (!t) return e.dom.getBoundingClientRect();
	let n = Tx(t);
	return n[n.length - 1] || null;
}
function cC(e, t) {
	let n = e.coordsIn(0, 1), r = t.coordsIn(0, 1);
	return n && r && r.top < n.bottom;
}
var lC = class e extends nC {
	constructor(e, t) {
		super(e), this.mark = t;
	}
	get domAttrs() {
		return this.mark.attrs;
	}
	static of(t, n) {
		let r = new e(n || document.createElement(t.tagName), t);
		return n || (r.flags |= 4), r;
	}
}, uC = class e extends tC {
	constructor(e, t) {
		super(e, t.length), this.text = t;
	}
	sync(e) {
		this.flags & 2 || (super.sync(e), this.dom.nodeValue != this.text && (e && e.node == this.dom && (e.written = !0), this.dom.nodeValue = this.text));
	}
	isText() {
		return !0;
	}
	toString() {
		return JSON.stringify(this.text);
	}
	coordsIn(e, t, n) {
		let r = this.dom.nodeValue.length;
		e > r && (e = r);
		let i = e, a = e, o = 0;
		e == 0 && t < 0 || e == r && t >= 0 ? X.chrome || X.gecko || (e ? (i--, o = 1) : a < r && (a++, o = -1)) : t < 0 ? i-- : a < r && a++;
		let s = Hx(this.dom, i, a).getClientRects();
		if (!s.length) return null;
		let c = s[(o ? o < 0 : t >= 0) ? 0 : s.length - 1];
		return X.safari && !o && c.width == 0 && (c = Array.prototype.find.call(s, (e) => e.width) || c), n == null ? c : jx(c, (o ? o > 0 : t < 0) == n);
	}
	static of(t, n) {
		let r = new e(n || document.createTextNode(t), t);
		return n || (r.flags |= 2), r;
	}
}, dC = class e extends tC {
	constructor(e, t, n, r) {
		super(e, t, r), this.widget = n;
	}
	isWidget() {
		return !0;
	}
	get isHidden() {
		return this.widget.isHidden;
	}
	covers(e) {
		return this.flags & 48 ? !1 : (this.flags & (e < 0 ? 64 : 128)) > 0;
	}
	coordsIn(e, t) {
		return this.coordsInWidget(e, t, !1);
	}
	coordsInWidget(e, t, n) {
		let r = this.widget.coordsAt(this.dom, e, t);
		if (r) return r;
		if (n) return jx(this.dom.getBoundingClientRect(), this.length ? e == 0 : t <= 0);
		{
			let t = this.dom.getClientRects(), n = null;
			if (!t.length) return null;
			let r = this.flags & 16 ? !0 : this.flags & 32 ? !1 : e > 0;
			for (let i = r ? t.length - 1 : 0; n = t[i], !(e > 0 ? i == 0 : i == t.length - 1 || n.top < n.bottom); i += r ? -1 : 1);
			return jx(n, !r);
		}
	}
	get overrideDOMText() {
		if (!this.length) return Wv.empty;
		let { root: e } = this;
		if (!e) return Wv.empty;
		let t = this.posAtStart;
		return e.view.state.doc.slice(t, t + this.length);
	}
	destroy() {
		super.destroy(), this.widget.destroy(this.dom);
	}
	static of(t, n, r, i, a) {
		return a || (a = t.toDOM(n), t.editable || (a.contentEditable = "false")), new e(a, r, t, i);
	}
}, fC = class extends tC {
	constructor(e) {
		let t = document.createElement("img");
		t.className = "cm-widgetBuffer", t.setAttribute("aria-hidden", "true"), super(t, 0, e);
	}
	get isHidden() {
		return !0;
	}
	get overrideDOMText() {
		return Wv.empty;
	}
	coordsIn(e, t, n) {
		let r = this.dom.getBoundingClientRect();
		return n == null ? r : jx(r, t > 0 == n);
	}
}, pC = class {
	constructor(e) {
		this.index = 0, this.beforeBreak = !1, this.parents = [], this.tile = e;
	}
	advance(e, t, n) {
		let { tile: r, index: i, beforeBreak: a, parents: o } = this;
		for (; e || t > 0;) if (!r.isComposite()) {
			let t = r.length;
			if (i < t && e) {
				let a = Math.min(e, t - i);
				n && n.skip(r, i, i + a), e -= a, i += a;
			}
			if (i == t) a = !!r.breakAfter, {tile: r, index: i} = o.pop(), i++;
			else if (!e) break;
		} else if (a) {
			if (!e) break;
			n && n.break(), e--, a = !1;
		} else if (i == r.children.length) {
			if (!e && !o.length) break;
			n && n.leave(r), a = !!r.breakAfter, {tile: r, index: i} = o.pop(), i++;
		} else {
			let s = r.children[i], c = s.breakAfter;
			(t > 0 ? s.length <= e : s.length < e) && (!n || n.skip(s, 0, s.length) !== !1 || !s.isComposite) ? (a = !!c, i++, e -= s.length) : (o.push({
				tile: r,
				index: i
			}), r = s, i = 0, n && s.isComposite() && n.enter(s));
		}
		return this.tile = r, this.index = i, this.beforeBreak = a, this;
	}
	get root() {
		return this.parents.length ? this.parents[0].tile : this.tile;
	}
}, mC = class {
	constructor(e, t, n, r) {
		this.from = e, this.to = t, this.wrapper = n, this.rank = r;
	}
}, hC = class {
	constructor(e, t, n) {
		this.cache = e, this.root = t, this.blockWrappers = n, this.curLine = null, this.lastBlock = null, this.afterWidget = null, this.pos = 0, this.wrappers = [], this.wrapperPos = 0;
	}
	addText(e, t, n, r) {
		this.flushBuffer();
		let i = this.ensureMarks(t, n), a = i.lastChild;
		if (a && a.isText() && !(a.flags & 8) && a.length + e.length < 512) {
			this.cache.reused.set(a, 2);
			let t = i.children[i.children.length - 1] = new uC(a.dom, a.text + e);
			t.parent = i;
		} else i.append(r || uC.of(e, this.cache.find(uC)?.dom));
		this.pos += e.length, this.afterWidget = null;
	}
	addComposition(e, t) {
		let n = this.curLine;
		n.dom != t.line.dom && (n.setDOM(this.cache.reused.has(t.line) ? TC(t.line.dom) : t.line.dom), this.cache.reused.set(t.line, 2));
		let r = n;
		for (let e = t.marks.length - 1; e >= 0; e--) {
			let n = t.marks[e], i = r.lastChild;
			if (i instanceof lC && i.mark.eq(n.mark)) i.dom != n.dom && i.setDOM(TC(n.dom)), r = i;
			else {
				let { dom: e } = n;
				this.cache.reused.get(n) && tC.get(n.dom) && (e = TC(n.dom));
				let t = lC.of(n.mark, e);
				r.append(t), r = t;
			}
			this.cache.reused.set(n, 2);
		}
		let i = tC.get(e.text);
		i && this.cache.reused.set(i, 2);
		let a = new uC(e.text, e.text.nodeValue);
		a.flags |= 8, this.pos = e.range.toB, r.append(a);
	}
	addInlineWidget(e, t, n) {
		let r = this.afterWidget && e.flags & 48 && (this.afterWidget.flags & 48) == (e.flags & 48);
		r || this.flushBuffer();
		let i = this.ensureMarks(t, n);
		!r && !(e.flags & 16) && i.append(this.getBuffer(1)), i.append(e), this.pos += e.length, this.afterWidget = e;
	}
	addMark(e, t, n) {
		this.flushBuffer(), this.ensureMarks(t, n).append(e), this.pos += e.length, this.afterWidget = null;
	}
	addBlockWidget(e) {
		this.getBlockPos().append(e), this.pos += e.length, this.lastBlock = e, this.endLine();
	}
	continueWidget(e) {
		let t = this.afterWidget || this.lastBlock;
		t.length += e, this.pos += e;
	}
	addLineStart(e, t) {
		e ||= SC;
		let n = oC.start(e, t || this.cache.find(oC)?.dom, !!t);
		this.getBlockPos().append(this.lastBlock = this.curLine = n);
	}
	addLine(e) {
		this.getBlockPos().append(e), this.pos += e.length, this.lastBlock = e, this.endLine();
	}
	addBreak() {
		this.lastBlock.flags |= 1, this.endLine(), this.pos++;
	}
	addLineStartIfNotCovered(e) {
		this.blockPosCovered() || this.addLineStart(e);
	}
	ensureLine(e) {
		this.curLine || this.addLineStart(e);
	}
	ensureMarks(e, t) {
		let n = this.curLine;
		for (let r = e.length - 1; r >= 0; r--) {
			let i = e[r], a;
			if (t > 0 && (a = n.lastChild) && a instanceof lC && a.mark.eq(i)) n = a, t--;
			else {
				let e = lC.of(i, this.cache.find(lC, (e) => e.mark.eq(i))?.dom);
				n.append(e), n = e, t = 0;
			}
		}
		return n;
	}
	endLine() {
		if (this.curLine) {
			this.flushBuffer();
			let e = this.curLine.lastChild;
			(!e || !bC(this.curLine, !1) || e.dom.nodeName != "BR" && e.isWidget() && !(X.ios && bC(this.curLine, !0))) && this.curLine.append(this.cache.findWidget(DC, 0, 32) || new dC(DC.toDOM(), 0, DC, 32)), this.curLine = this.afterWidget = null;
		}
	}
	updateBlockWrappers() {
		this.wrapperPos > this.pos + 1e4 && (this.blockWrappers.goto(this.pos), this.wrappers.length = 0);
		for (let e = this.wrappers.length - 1; e >= 0; e--) this.wrappers[e].to < this.pos && this.wrappers.splice(e, 1);
		for (let e = this.blockWrappers; e.value && e.from <= this.pos; e.next()) if (e.to >= this.pos) {
			let t = e.rank * 102 + e.value.rank, n = new mC(e.from, e.to, e.value, t), r = this.wrappers.length;
			for (; r > 0 && (this.wrappers[r - 1].rank - n.rank || this.wrappers[r - 1].to - n.to) < 0;) r--;
			this.wrappers.splice(r, 0, n);
		}
		this.wrapperPos = this.pos;
	}
	getBlockPos() {
		this.updateBlockWrappers();
		let e = this.root;
		for (let t of this.wrappers) {
			let n = e.lastChild;
			if (t.from < this.pos && n instanceof aC && n.wrapper.eq(t.wrapper)) e = n;
			else {
				let n = aC.of(t.wrapper, this.cache.find(aC, (e) => e.wrapper.eq(t.wrapper))?.dom);
				e.append(n), e = n;
			}
		}
		return e;
	}
	blockPosCovered() {
		let e = this.lastBlock;
		return e != null && !e.breakAfter && (!e.isWidget() || (e.flags & 160) > 0);
	}
	getBuffer(e) {
		let t = 2 | (e < 0 ? 16 : 32), n = this.cache.find(fC, void 0, 1);
		return n && (n.flags = t), n || new fC(t);
	}
	flushBuffer() {
		this.afterWidget && !(this.afterWidget.flags & 32) && (this.afterWidget.parent.append(this.getBuffer(-1)), this.afterWidget = null);
	}
}, gC = class {
	constructor(e) {
		this.skipCount = 0, this.text = "", this.textOff = 0, this.cursor = e.iter();
	}
	skip(e) {
		this.textOff + e <= this.text.length ? this.textOff += e : (this.skipCount += e - (this.text.length - this.textOff), this.text = "", this.textOff = 0);
	}
	next(e) {
		if (this.textOff == this.text.length) {
			let { value: t, lineBreak: n, done: r } = this.cursor.next(this.skipCount);
			if (this.skipCount = 0, r) throw Error("Ran out of text content when drawing inline views");
			this.text = t;
			let i = this.textOff = Math.min(e, t.length);
			return n ? null : t.slice(0, i);
		}
		let t = Math.min(this.text.length, this.textOff + e), n = this.text.slice(this.textOff, t);
		return this.textOff = t, n;
	}
}, _C = [
	dC,
	oC,
	uC,
	lC,
	fC,
	aC,
	iC
];
for (let e = 0; e < _C.length; e++) _C[e].bucket = e;
var vC = class {
	constructor(e) {
		this.view = e, this.buckets = _C.map(() => []), this.index = _C.map(() => 0), this.reused = /* @__PURE__ */ new Map();
	}
	add(e) {
		let t = e.constructor.bucket, n = this.buckets[t];
		n.length < 6 ? n.push(e) : n[this.index[t] = (this.index[t] + 1) % 6] = e;
	}
	find(e, t, n = 2) {
		let r = e.bucket, i = this.buckets[r], a = this.index[r];
		for (let e = 0; e < i.length; e++) {
			let o = (e + a) % i.length, s = i[o];
			if ((!t || t(s)) && !this.reused.has(s)) return i.splice(o, 1), o < a && this.index[r]--, this.reused.set(s, n), s;
		}
		return null;
	}
	findWidget(e, t, n) {
		let r = this.buckets[0];
		if (r.length) for (let i = 0, a = 0;; i++) {
			if (i == r.length) {
				if (a) return null;
				a = 1, i = 0;
			}
			let o = r[i];
			if (!this.reused.has(o) && (a == 0 ? o.widget.compare(e) : o.widget.constructor == e.constructor && e.updateDOM(o.dom, this.view, o.widget))) return r.splice(i, 1), i < this.index[0] && this.index[0]--, o.widget == e && o.length == t && (o.flags & 497) == n ? (this.reused.set(o, 1), o) : (this.reused.set(o, 2), new dC(o.dom, t, e, o.flags & -498 | n));
		}
	}
	reuse(e) {
		return this.reused.set(e, 1), e;
	}
	maybeReuse(e, t = 2) {
		if (!this.reused.has(e)) return this.reused.set(e, t), e.dom;
	}
	clear() {
		for (let e = 0; e < this.buckets.length; e++) this.buckets[e].length = this.index[e] = 0;
	}
}, yC = class {
	constructor(e, t, n, r, i) {
		this.view = e, this.decorations = r, this.disallowBlockEffectsFor = i, this.openWidget = !1, this.openMarks = 0, this.cache = new vC(e), this.text = new gC(e.state.doc), this.builder = new hC(this.cache, new iC(e, e.contentDOM), hb.iter(n)), this.cache.reused.set(t, 2), this.old = new pC(t), this.reuseWalker = {
			skip: (e, t, n) => {
				if (this.cache.add(e), e.isComposite()) return !1;
			},
			enter: (e) => this.cache.add(e),
			leave: () => {},
			break: () => {}
		};
	}
	run(e, t) {
		let n = t && this.getCompositionContext(t.text);
		for (let r = 0, i = 0, a = 0;;) {
			let o = a < e.length ? e[a++] : null, s = o ? o.fromA : this.old.root.length;
			if (s > r) {
				let e = s - r;
				this.preserve(e, !a, !o), r = s, i += e;
			}
			if (!o) break;
			t && o.fromA <= t.range.fromA && o.toA >= t.range.toA ? (this.forward(o.fromA, t.range.fromA, t.range.fromA < t.range.toA ? 1 : -1), this.emit(i, t.range.fromB), this.builder.flushBuffer(), this.cache.clear(), this.builder.addComposition(t, n), this.text.skip(t.range.toB - t.range.fromB), this.forward(t.range.fromA, o.toA), this.emit(t.range.toB, o.toB)) : (this.forward(o.fromA, o.toA), this.emit(i, o.toB)), i = o.toB, r = o.toA;
		}
		return this.builder.curLine && this.builder.endLine(), this.builder.root;
	}
	preserve(e, t, n) {
		let r = wC(this.old), i = this.openMarks;
		this.old.advance(e, n ? 1 : -1, {
			skip: (e, t, n) => {
				if (e.isWidget()) {
					if (this.openWidget) this.builder.continueWidget(n - t);
					else {
						let a = n > 0 || t < e.length ? dC.of(e.widget, this.view, n - t, e.flags & 496, this.cache.maybeReuse(e)) : this.cache.reuse(e);
						a.flags & 256 ? (a.flags &= -2, this.builder.addBlockWidget(a)) : (this.builder.ensureLine(null), this.builder.addInlineWidget(a, r, i), i = r.length);
					}
				} else if (e.isText()) this.builder.ensureLine(null), !t && n == e.length && !this.cache.reused.has(e) ? this.builder.addText(e.text, r, i, this.cache.reuse(e)) : (this.cache.add(e), this.builder.addText(e.text.slice(t, n), r, i)), i = r.length;
				else if (e.isLine()) e.flags &= -2, this.cache.reused.set(e, 1), this.builder.addLine(e);
				else if (e instanceof fC) this.cache.add(e);
				else if (e instanceof lC) this.builder.ensureLine(null), this.builder.addMark(e, r, i), this.cache.reused.set(e, 1), i = r.length;
				else return !1;
				this.openWidget = !1;
			},
			enter: (e) => {
				e.isLine() ? this.builder.addLineStart(e.attrs, this.cache.maybeReuse(e)) : (this.cache.add(e), e instanceof lC && r.unshift(e.mark)), this.openWidget = !1;
			},
			leave: (e) => {
				e.isLine() ? r.length &&= i = 0 : e instanceof lC && (r.shift(), i = Math.min(i, r.length));
			},
			break: () => {
				this.builder.addBreak(), this.openWidget = !1;
			}
		}), this.text.skip(e);
	}
	emit(e, t) {
		let n = null, r = this.builder, i = -1, a = hb.spans(this.decorations, e, t, {
			point: (e, t, a, o, s, c) => {
				if (a instanceof hx) {
					if (this.disallowBlockEffectsFor[c]) {
						if (a.block) throw RangeError("Block decorations may not be specified via plugins");
						if (t > this.view.state.doc.lineAt(e).to) throw RangeError("Decorations that replace line breaks may not be specified via plugins");
					}
					if (i = o.length, s > o.length) r.continueWidget(t - e);
					else {
						let i = a.widget || (a.block ? EC.block : EC.inline), c = xC(a), l = this.cache.findWidget(i, t - e, c) || dC.of(i, this.view, t - e, c);
						a.block ? (a.startSide > 0 && r.addLineStartIfNotCovered(n), r.addBlockWidget(l)) : (r.ensureLine(n), r.addInlineWidget(l, o, s));
					}
					n = null;
				} else n = CC(n, a);
				t > e && this.text.skip(t - e);
			},
			span: (e, t, a, o) => {
				for (let i = e; i < t;) {
					let s = this.text.next(Math.min(512, t - i));
					s == null ? (r.addLineStartIfNotCovered(n), r.addBreak(), i++) : (r.ensureLine(n), r.addText(s, a, i == e ? o : a.length), i += s.length), n = null;
				}
				i = a.length;
			}
		});
		i > -1 && (this.openWidget = a > i), this.openWidget || r.addLineStartIfNotCovered(n), this.openMarks = a;
	}
	forward(e, t, n = 1) {
		t - e <= 10 ? this.old.advance(t - e, n, this.reuseWalker) : (this.old.advance(5, -1, this.reuseWalker), this.old.advance(t - e - 10, -1), this.old.advance(5, n, this.reuseWalker));
	}
	getCompositionContext(e) {
		let t = [], n = null;
		for (let r = e.parentNode;; r = r.parentNode) {
			let e = tC.get(r);
			if (r == this.view.contentDOM) break;
			e instanceof lC ? t.push(e) : e?.isLine() ? n = e : e instanceof aC || (r.nodeName == "DIV" && !n ? n = new oC(r, SC) : n || t.push(lC.of(new px({
				tagName: r.nodeName.toLowerCase(),
				attributes: lx(r)
			}), r)));
		}
		return n ? {
			line: n,
			marks: t
		} : null;
	}
};
function bC(e, t) {
	let n = (e) => {
		for (let r of e.children) if ((t ? r.isText() : r.length) || n(r)) return !0;
		return !1;
	};
	return n(e);
}
function xC(e) {
	let t = e.isReplace ? (e.startSide < 0 ? 64 : 0) | (e.endSide > 0 ? 128 : 0) : e.startSide > 0 ? 32 : 16;
	return e.block && (t |= 256), t;
}
var SC = { class: "cm-line" };
function CC(e, t) {
	let n = t.spec.attributes, r = t.spec.class;
	return !n && !r || (e ||= { class: "cm-line" }, n && ix(n, e), r && (e.class += " " + r)), e;
}
function wC(e) {
	let t = [];
	for (let n = e.parents.length; n > 1; n--) {
		let r = n == e.parents.length ? e.tile : e.parents[n].tile;
		r instanceof lC && t.push(r.mark);
	}
	return t;
}
function TC(e) {
	let t = tC.get(e);
	return t && t.setDOM(e.cloneNode()), e;
}
var EC = class extends ux {
	constructor(e) {
		super(), this.tag = e;
	}
	eq(e) {
		return e.tag == this.tag;
	}
	toDOM() {
		return document.createElement(this.tag);
	}
	updateDOM(e) {
		return e.nodeName.toLowerCase() == this.tag;
	}
	get isHidden() {
		return !0;
	}
};
EC.inline = /*@__PURE__*/ new EC("span"), EC.block = /*@__PURE__*/ new EC("div");
var DC = /*@__PURE__*/ new class extends ux {
	toDOM() {
		return document.createElement("br");
	}
	get isHidden() {
		return !0;
	}
	get editable() {
		return !0;
	}
}(), OC = class {
	constructor(e) {
		this.view = e, this.decorations = [], this.blockWrappers = [], this.dynamicDecorationMap = [!1], this.domChanged = null, this.hasComposition = null, this.editContextFormatting = fx.none, this.lastCompositionAfterCursor = !1, this.minWidth = 0, this.minWidthFrom = 0, this.minWidthTo = 0, this.impreciseAnchor = null, this.impreciseHead = null, this.forceSelection = !1, this.lastUpdate = Date.now(), this.updateDeco(), this.tile = new iC(e, e.contentDOM), this.updateInner([new QS(0, 0, 0, e.state.doc.length)], null);
	}
	update(e) {
		let t = e.changedRanges;
		this.minWidth > 0 && t.length && (t.every(({ fromA: e, toA: t }) => t < this.minWidthFrom || e > this.minWidthTo) ? (this.minWidthFrom = e.changes.mapPos(this.minWidthFrom, 1), this.minWidthTo = e.changes.mapPos(this.minWidthTo, 1)) : this.minWidth = this.minWidthFrom = this.minWidthTo = 0), this.updateEditContextFormatting(e);
		let n = -1;
		this.view.inputState.composing >= 0 && !this.view.observer.editContext && (this.domChanged?.newSel ? n = this.domChanged.newSel.head : !zC(e.changes, this.hasComposition) && !e.selectionSet && (n = e.state.selection.main.head));
		let r = n > -1 ? MC(this.view, e.changes, n) : null;
		if (this.domChanged = null, this.hasComposition) {
			let { from: n, to: r } = this.hasComposition;
			t = new QS(n, r, e.changes.mapPos(n, -1), e.changes.mapPos(r, 1)).addToSet(t.slice());
		}
		this.hasComposition = r ? {
			from: r.range.fromB,
			to: r.range.toB
		} : null, (X.ie || X.chrome) && !r && e && e.state.doc.lines != e.startState.doc.lines && (this.forceSelection = !0);
		let i = this.decorations, a = this.blockWrappers;
		this.updateDeco();
		let o = FC(i, this.decorations, e.changes);
		o.length && (t = QS.extendWithRanges(t, o));
		let s = LC(a, this.blockWrappers, e.changes);
		return s.length && (t = QS.extendWithRanges(t, s)), r && !t.some((e) => e.fromA <= r.range.fromA && e.toA >= r.range.toA) && (t = r.range.addToSet(t.slice())), this.tile.flags & 2 && t.length == 0 ? !1 : (this.updateInner(t, r), e.transactions.length && (this.lastUpdate = Date.now()), !0);
	}
	updateInner(e, t) {
		this.view.viewState.mustMeasureContent = !0;
		let { observer: n } = this.view;
		n.ignore(() => {
			if (t || e.length) {
				let n = this.tile, r = new yC(this.view, n, this.blockWrappers, this.decorations, this.dynamicDecorationMap);
				t && tC.get(t.text) && r.cache.reused.set(tC.get(t.text), 2), this.tile = r.run(e, t), kC(n, r.cache.reused);
			}
			this.tile.dom.style.height = this.view.viewState.contentHeight / this.view.scaleY + "px", this.tile.dom.style.flexBasis = this.minWidth ? this.minWidth + "px" : "";
			let r = X.chrome || X.ios ? {
				node: n.selectionRange.focusNode,
				written: !1
			} : void 0;
			this.tile.sync(r), r && (r.written || n.selectionRange.focusNode != r.node || !this.tile.dom.contains(r.node)) && (this.forceSelection = !0), this.tile.dom.style.height = "";
		});
		let r = [];
		if (this.view.viewport.from || this.view.viewport.to < this.view.state.doc.length) for (let e of this.tile.children) e.isWidget() && e.widget instanceof BC && r.push(e.dom);
		n.updateGaps(r);
	}
	updateEditContextFormatting(e) {
		this.editContextFormatting = this.editContextFormatting.map(e.changes);
		for (let t of e.transactions) for (let e of t.effects) e.is(NS) && (this.editContextFormatting = e.value);
	}
	updateSelection(e = !1, t = !1) {
		(e || !this.view.observer.selectionRange.focusNode) && this.view.observer.readSelectionRange();
		let { dom: n } = this.tile, r = this.view.root.activeElement, i = r == n, a = !i && !(this.view.state.facet(FS) || n.tabIndex > -1) && wx(n, this.view.observer.selectionRange) && !(r && n.contains(r));
		if (!(i || t || a)) return;
		let o = this.forceSelection;
		this.forceSelection = !1;
		let s = this.view.state.selection.main, c, l;
		if (s.empty ? l = c = this.inlineDOMNearPos(s.anchor, s.assoc || 1) : (l = this.inlineDOMNearPos(s.head, s.head == s.from ? 1 : -1), c = this.inlineDOMNearPos(s.anchor, s.anchor == s.from ? 1 : -1)), X.gecko && s.empty && !this.hasComposition && AC(c)) {
			let e = document.createTextNode("");
			this.view.observer.ignore(() => c.node.insertBefore(e, c.node.childNodes[c.offset] || null)), c = l = new Yx(e, 0), o = !0;
		}
		let u = this.view.observer.selectionRange;
		!o && u.focusNode && (Ex(c.node, c.offset, u.anchorNode, u.anchorOffset) && Ex(l.node, l.offset, u.focusNode, u.focusOffset) || this.suppressWidgetCursorChange(u, s)) || (this.view.observer.ignore(() => {
			X.android && X.chrome && n.contains(u.focusNode) && RC(u.focusNode, n) && (n.blur(), n.focus({ preventScroll: !0 }));
			let e = Sx(this.view.root);
			if (e) {
				if (s.empty) {
					if (X.gecko) {
						let e = NC(c.node, c.offset);
						if (e && e != 3) {
							let t = (e == 1 ? qx : Jx)(c.node, c.offset);
							t && (c = new Yx(t.node, t.offset));
						}
					}
					e.collapse(c.node, c.offset), s.bidiLevel != null && e.caretBidiLevel !== void 0 && (e.caretBidiLevel = s.bidiLevel);
				} else if (e.extend) {
					e.collapse(c.node, c.offset);
					try {
						e.extend(l.node, l.offset);
					} catch {}
				} else {
					let t = document.createRange();
					s.anchor > s.head && ([c, l] = [l, c]), t.setEnd(l.node, l.offset), t.setStart(c.node, c.offset), e.removeAllRanges(), e.addRange(t);
				}
			}
			a && this.view.root.activeElement == n && (n.blur(), r && r.focus());
		}), this.view.observer.setSelectionRange(c, l)), this.impreciseAnchor = c.precise ? null : new Yx(u.anchorNode, u.anchorOffset), this.impreciseHead = l.precise ? null : new Yx(u.focusNode, u.focusOffset);
	}
	suppressWidgetCursorChange(e, t) {
		return this.hasComposition && t.empty && Ex(e.focusNode, e.focusOffset, e.anchorNode, e.anchorOffset) && this.posFromDOM(e.focusNode, e.focusOffset) == t.head;
	}
	enforceCursorAssoc() {
		if (this.hasComposition) return;
		let { view: e } = this, t = e.state.selection.main, n = Sx(e.root), { anchorNode: r, anchorOffset: i } = e.observer.selectionRange;
		if (!n || !t.empty || !t.assoc || !n.modify) return;
		let a = this.lineAt(t.head, t.assoc);
		if (!a) return;
		let o = a.posAtStart;
		if (t.head == o || t.head == o + a.length) return;
		let s = this.coordsAt(t.head, -1), c = this.coordsAt(t.head, 1);
		if (!s || !c || s.bottom > c.top) return;
		let l = this.domAtPos(t.head + t.assoc, t.assoc);
		n.collapse(l.node, l.offset), n.modify("move", t.assoc < 0 ? "forward" : "backward", "lineboundary"), e.observer.readSelectionRange();
		let u = e.observer.selectionRange;
		e.docView.posFromDOM(u.anchorNode, u.anchorOffset) != t.from && n.collapse(r, i);
	}
	posFromDOM(e, t) {
		let n = this.tile.nearest(e);
		if (!n) return this.tile.dom.compareDocumentPosition(e) & 2 ? 0 : this.view.state.doc.length;
		let r = n.posAtStart;
		if (n.isComposite()) {
			let i;
			if (e == n.dom) i = n.dom.childNodes[t];
			else {
				let r = Ax(e) == 0 ? 0 : t == 0 ? -1 : 1;
				for (;;) {
					let t = e.parentNode;
					if (t == n.dom) break;
					r == 0 && t.firstChild != t.lastChild && (r = e == t.firstChild ? -1 : 1), e = t;
				}
				i = r < 0 ? e : e.nextSibling;
			}
			if (i == n.dom.firstChild) return r;
			for (; i && !tC.get(i);) i = i.nextSibling;
			if (!i) return r + n.length;
			for (let e = 0, t = r;; e++) {
				let r = n.children[e];
				if (r.dom == i) return t;
				t += r.length + r.breakAfter;
			}
		} else if (n.isText()) return e == n.dom ? r + t : r + (t ? n.length : 0);
		else return r;
	}
	domAtPos(e, t) {
		let { tile: n, offset: r } = this.tile.resolveBlock(e, t);
		return n.isWidget() ? n.domPosFor(r, t) : n.domIn(r, t);
	}
	inlineDOMNearPos(e, t) {
		let n, r = -1, i = !1, a, o = -1, s = !1;
		return this.tile.blockTiles((t, c) => {
			if (t.isWidget()) {
				if (t.flags & 32 && c >= e) return !0;
				t.flags & 16 && (i = !0);
			} else {
				let l = c + t.length;
				if (c <= e && (n = t, r = e - c, i = l < e), l >= e && !a && (a = t, o = e - c, s = c > e), c > e && a) return !0;
			}
		}), !n && !a ? this.domAtPos(e, t) : (i && a ? n = null : s && n && (a = null), n && t < 0 || !a ? n.domIn(r, t) : a.domIn(o, t));
	}
	coordsAt(e, t, n) {
		let { tile: r, offset: i } = this.tile.resolveBlock(e, t);
		return r.isWidget() ? r.widget instanceof BC ? null : r.coordsInWidget(i, t, !0) : r.coordsIn(i, t, n);
	}
	lineAt(e, t) {
		let { tile: n } = this.tile.resolveBlock(e, t);
		return n.isLine() ? n : null;
	}
	coordsForChar(e) {
		let { tile: t, offset: n } = this.tile.resolveBlock(e, 1);
		if (!t.isLine()) return null;
		function r(e, t) {
			if (e.isComposite()) for (let n of e.children) {
				if (n.length >= t) {
					let e = r(n, t);
					if (e) return e;
				}
				if (t -= n.length, t < 0) break;
			}
			else if (e.isText() && t < e.length) {
				let n = ty(e.text, t);
				if (n == t) return null;
				let r = Hx(e.dom, t, n).getClientRects();
				for (let e = 0; e < r.length; e++) {
					let t = r[e];
					if (e == r.length - 1 || t.top < t.bottom && t.left < t.right) return t;
				}
			}
			return null;
		}
		return r(t, n);
	}
	measureVisibleLineHeights(e) {
		let t = [], { from: n, to: r } = e, i = this.view.contentDOM.clientWidth, a = i > Math.max(this.view.scrollDOM.clientWidth, this.minWidth) + 1, o = -1, s = this.view.textDirection == Xx.LTR, c = 0, l = (e, u, d) => {
			for (let f = 0; f < e.children.length && !(u > r); f++) {
				let r = e.children[f], p = u + r.length, m = r.dom.getBoundingClientRect(), { height: h } = m;
				if (d && !f && (c += m.top - d.top), r instanceof aC) p > n && l(r, u, m);
				else if (u >= n && (c > 0 && t.push(-c), t.push(h + c), c = 0, a)) {
					let e = r.dom.lastChild, t = e ? Tx(e) : [];
					if (t.length) {
						let e = t[t.length - 1], n = s ? e.right - m.left : m.right - e.left;
						n > o && (o = n, this.minWidth = i, this.minWidthFrom = u, this.minWidthTo = p);
					}
				}
				d && f == e.children.length - 1 && (c += d.bottom - m.bottom), u = p + r.breakAfter;
			}
		};
		return l(this.tile, 0, null), t;
	}
	textDirectionAt(e) {
		let { tile: t } = this.tile.resolveBlock(e, 1);
		return getComputedStyle(t.dom).direction == "rtl" ? Xx.RTL : Xx.LTR;
	}
	measureTextSize() {
		let e = this.tile.blockTiles((e) => {
			if (e.isLine() && e.children.length && e.length <= 20) {
				let t = 0, n;
				for (let r of e.children) {
					if (!r.isText() || /[^ -~]/.test(r.text)) return;
					let e = Tx(r.dom);
					if (e.length != 1) return;
					t += e[0].width, n = e[0].height;
				}
				if (t) return {
					lineHeight: e.dom.getBoundingClientRect().height,
					charWidth: t / e.length,
					textHeight: n
				};
			}
		});
		if (e) return e;
		let t = document.createElement("div"), n, r, i;
		return t.className = "cm-line", t.style.width = "99999px", t.style.position = "absolute", t.textContent = "abc def ghi jkl mno pqr stu", this.view.observer.ignore(() => {
			this.tile.dom.appendChild(t);
			let e = Tx(t.firstChild)[0];
			n = t.getBoundingClientRect().height, r = e && e.width ? e.width / 27 : 7, i = e && e.height ? e.height : n, t.remove();
		}), {
			lineHeight: n,
			charWidth: r,
			textHeight: i
		};
	}
	computeBlockGapDeco() {
		let e = [], t = this.view.viewState;
		for (let n = 0, r = 0;; r++) {
			let i = r == t.viewports.length ? null : t.viewports[r], a = i ? i.from - 1 : this.view.state.doc.length;
			if (a > n) {
				let r = (t.lineBlockAt(a).bottom - t.lineBlockAt(n).top) / this.view.scaleY;
				e.push(fx.replace({
					widget: new BC(r),
					block: !0,
					inclusive: !0,
					isBlockGap: !0
				}).range(n, a));
			}
			if (!i) break;
			n = i.to + 1;
		}
		return fx.set(e);
	}
	updateDeco() {
		let e = 1, t = this.view.state.facet(HS).map((t) => (this.dynamicDecorationMap[e++] = typeof t == "function") ? t(this.view) : t), n = !1, r = this.view.state.facet(WS).map((e, t) => {
			let r = typeof e == "function";
			return r && (n = !0), r ? e(this.view) : e;
		});
		for (r.length && (this.dynamicDecorationMap[e++] = n, t.push(hb.join(r))), this.decorations = [
			this.editContextFormatting,
			...t,
			this.computeBlockGapDeco(),
			this.view.viewState.lineGapDeco
		]; e < this.decorations.length;) this.dynamicDecorationMap[e++] = !1;
		this.blockWrappers = this.view.state.facet(US).map((e) => typeof e == "function" ? e(this.view) : e);
	}
	scrollIntoView(e) {
		if (e.isSnapshot) {
			let t = this.view.viewState.lineBlockAt(e.range.head);
			this.view.scrollDOM.scrollTop = t.top - e.yMargin, this.view.scrollDOM.scrollLeft = e.xMargin;
			return;
		}
		for (let t of this.view.state.facet(AS)) try {
			if (t(this.view, e.range, e)) return !0;
		} catch (e) {
			PS(this.view.state, e, "scroll handler");
		}
		let { range: t } = e, n = this.coordsAt(t.head, t.assoc || (t.head > t.anchor ? -1 : 1)), r;
		if (!n) return;
		!t.empty && (r = this.coordsAt(t.anchor, t.anchor > t.head ? -1 : 1)) && (n = {
			left: Math.min(n.left, r.left),
			top: Math.min(n.top, r.top),
			right: Math.max(n.right, r.right),
			bottom: Math.max(n.bottom, r.bottom)
		});
		let i = XS(this.view), a = {
			left: n.left - i.left,
			top: n.top - i.top,
			right: n.right + i.right,
			bottom: n.bottom + i.bottom
		}, { offsetWidth: o, offsetHeight: s } = this.view.scrollDOM;
		if (Px(this.view.scrollDOM, a, t.head < t.anchor ? -1 : 1, e.x, e.y, Math.max(Math.min(e.xMargin, o), -o), Math.max(Math.min(e.yMargin, s), -s), this.view.textDirection == Xx.LTR), window.visualViewport && window.innerHeight - window.visualViewport.height > 1 && (n.top > window.visualViewport.offsetTop + window.visualViewport.height || n.bottom < window.visualViewport.offsetTop)) {
			let e = this.view.docView.lineAt(t.head, 1);
			if (e) {
				let t = Lx(e.dom);
				e.dom.scrollIntoView({ block: "nearest" }), Rx(t, !1);
			}
		}
	}
	lineHasWidget(e) {
		let t = (e) => e.isWidget() || e.children.some(t);
		return t(this.tile.resolveBlock(e, 1).tile);
	}
	destroy() {
		kC(this.tile);
	}
};
function kC(e, t) {
	let n = t?.get(e);
	if (n != 1) {
		n ?? e.destroy();
		for (let n of e.children) kC(n, t);
	}
}
function AC(e) {
	return bx(e.node) && e.node.firstChild && (e.offset == 0 || e.node.childNodes[e.offset - 1].contentEditable == "false") && (e.offset == e.node.childNodes.length || e.node.childNodes[e.offset].contentEditable == "false");
}
function jC(e, t) {
	let n = e.observer.selectionRange;
	if (!n.focusNode) return null;
	let r = qx(n.focusNode, n.focusOffset), i = Jx(n.focusNode, n.focusOffset), a = r || i;
	if (i && r && i.node != r.node) {
		let t = tC.get(i.node);
		if (!t || t.isText() && t.text != i.node.nodeValue) a = i;
		else if (e.docView.lastCompositionAfterCursor) {
			let e = tC.get(r.node);
			!e || e.isText() && e.text != r.node.nodeValue || (a = i);
		}
	}
	if (e.docView.lastCompositionAfterCursor = a != r, !a) return null;
	let o = t - a.offset;
	return {
		from: o,
		to: o + a.node.nodeValue.length,
		node: a.node
	};
}
function MC(e, t, n) {
	let r = jC(e, n);
	if (!r) return null;
	let { node: i, from: a, to: o } = r, s = i.nodeValue;
	if (/[\n\r]/.test(s) || e.state.doc.sliceString(r.from, r.to) != s) return null;
	let c = t.invertedDesc;
	return {
		range: new QS(c.mapPos(a), c.mapPos(o), a, o),
		text: i
	};
}
function NC(e, t) {
	return bx(e) ? (t && e.childNodes[t - 1].contentEditable == "false" ? 1 : 0) | (t < e.childNodes.length && e.childNodes[t].contentEditable == "false" ? 2 : 0) : 0;
}
var PC = class {
	constructor() {
		this.changes = [];
	}
	compareRange(e, t) {
		vx(e, t, this.changes);
	}
	comparePoint(e, t) {
		vx(e, t, this.changes);
	}
	boundChange(e) {
		vx(e, e, this.changes);
	}
};
function FC(e, t, n) {
	let r = new PC();
	return hb.compare(e, t, n, r), r.changes;
}
var IC = class {
	constructor() {
		this.changes = [];
	}
	compareRange(e, t) {
		vx(e, t, this.changes);
	}
	comparePoint() {}
	boundChange(e) {
		vx(e, e, this.changes);
	}
};
function LC(e, t, n) {
	let r = new IC();
	return hb.compare(e, t, n, r), r.changes;
}
function RC(e, t) {
	for (let n = e; n && n != t; n = n.assignedSlot || n.parentNode) if (bx(n) && n.contentEditable == "false") return !0;
	return !1;
}
function zC(e, t) {
	let n = !1;
	return t && e.iterChangedRanges((e, r) => {
		e < t.to && r > t.from && (n = !0);
	}), n;
}
var BC = class extends ux {
	constructor(e) {
		super(), this.height = e;
	}
	toDOM() {
		let e = document.createElement("div");
		return e.className = "cm-gap", this.updateDOM(e), e;
	}
	eq(e) {
		return e.height == this.height;
	}
	updateDOM(e) {
		return e.style.height = this.height + "px", !0;
	}
	get editable() {
		return !0;
	}
	get estimatedHeight() {
		return this.height;
	}
	ignoreEvent() {
		return !1;
	}
};
function VC(e, t, n = 1) {
	let r = e.charCategorizer(t), i = e.doc.lineAt(t), a = t - i.from;
	if (i.length == 0) return J.cursor(t);
	a == 0 ? n = 1 : a == i.length && (n = -1);
	let o = a, s = a;
	n < 0 ? o = ty(i.text, a, !1) : s = ty(i.text, a);
	let c = r(i.text.slice(o, s));
	for (; o > 0;) {
		let e = ty(i.text, o, !1);
		if (r(i.text.slice(e, o)) != c) break;
		o = e;
	}
	for (; s < i.length;) {
		let e = ty(i.text, s);
		if (r(i.text.slice(s, e)) != c) break;
		s = e;
	}
	return J.undirectionalRange(o + i.from, s + i.from);
}
function HC(e, t, n, r, i) {
	let a = Math.round((r - t.left) * e.defaultCharacterWidth);
	if (e.lineWrapping && n.height > e.defaultLineHeight * 1.5) {
		let t = e.viewState.heightOracle.textHeight, r = Math.floor((i - n.top - (e.defaultLineHeight - t) * .5) / t);
		a += r * e.viewState.heightOracle.lineLength;
	}
	let o = e.state.sliceDoc(n.from, n.to);
	return n.from + Ab(o, a, e.state.tabSize);
}
function UC(e, t, n) {
	let r = e.lineBlockAt(t);
	if (Array.isArray(r.type)) {
		let e;
		for (let i of r.type) {
			if (i.from > t) break;
			if (!(i.to < t)) {
				if (i.from < t && i.to > t) return i;
				(!e || i.type == dx.Text && (e.type != i.type || (n < 0 ? i.from < t : i.to > t))) && (e = i);
			}
		}
		return e || r;
	}
	return r;
}
function WC(e, t, n, r) {
	let i = UC(e, t.head, t.assoc || -1), a = !r || i.type != dx.Text || !(e.lineWrapping || i.widgetLineBreaks) ? null : e.coordsAtPos(t.assoc < 0 && t.head > i.from ? t.head - 1 : t.head);
	if (a) {
		let t = e.dom.getBoundingClientRect(), r = e.textDirectionAt(i.from), o = e.posAndSideAtCoords({
			x: n == (r == Xx.LTR) ? t.right - 1 : t.left + 1,
			y: (a.top + a.bottom) / 2
		});
		if (o) return J.cursor(o.pos, o.assoc);
	}
	return J.cursor(n ? i.to : i.from, n ? 1 : -1);
}
function GC(e, t, n, r) {
	let i = e.state.doc.lineAt(t.head), a = e.bidiSpans(i), o = e.textDirectionAt(i.from);
	for (let s = t, c = null;;) {
		let t = _S(i, a, o, s, n), l = gS;
		if (!t) {
			if (i.number == (n ? e.state.doc.lines : 1)) return s;
			l = "\n", i = e.state.doc.line(i.number + (n ? 1 : -1)), a = e.bidiSpans(i), t = n ? J.cursor(i.from, -1) : J.cursor(i.to, 1);
		}
		if (!c) {
			if (!r) return t;
			c = r(l);
		} else if (!c(l)) return s;
		s = t;
	}
}
function KC(e, t, n) {
	let r = e.state.charCategorizer(t), i = r(n);
	return (e) => {
		let t = r(e);
		return i == rb.Space && (i = t), i == t;
	};
}
function qC(e, t, n, r) {
	let i = t.head, a = n ? 1 : -1;
	if (i == (n ? e.state.doc.length : 0)) return J.cursor(i, t.assoc);
	let o = t.goalColumn, s, c = e.contentDOM.getBoundingClientRect(), l = e.coordsAtPos(i, t.assoc || ((t.empty ? n : t.head == t.from) ? 1 : -1)), u = e.documentTop;
	if (l) o ??= l.left - c.left, s = a < 0 ? l.top : l.bottom;
	else {
		let t = e.viewState.lineBlockAt(i);
		o ??= Math.min(c.right - c.left, e.defaultCharacterWidth * (i - t.from)), s = (a < 0 ? t.top : t.bottom) + u;
	}
	let d = c.left + o, f = e.viewState.heightOracle.textHeight >> 1, p = r ?? f;
	for (let t = 0;; t += f) {
		let r = s + (p + t) * a, i = QC(e, {
			x: d,
			y: r
		}, !1, a);
		if (n ? r > c.bottom : r < c.top) return J.cursor(i.pos, i.assoc);
		let l = e.coordsAtPos(i.pos, i.assoc), u = l ? (l.top + l.bottom) / 2 : 0;
		if (!l || (n ? u > s : u < s)) return J.cursor(i.pos, i.assoc, void 0, o);
	}
}
function JC(e, t, n) {
	for (;;) {
		let r = 0;
		for (let i of e) i.between(t - 1, t + 1, (e, i, a) => {
			if (t > e && t < i) {
				let a = r || n || (t - e < i - t ? -1 : 1);
				t = a < 0 ? e : i, r = a;
			}
		});
		if (!r) return t;
	}
}
function YC(e, t) {
	let n = null;
	for (let r = 0; r < t.ranges.length; r++) {
		let i = t.ranges[r], a = null;
		if (i.empty) {
			let t = JC(e, i.from, 0);
			t != i.from && (a = J.cursor(t, -1));
		} else {
			let t = JC(e, i.from, -1), n = JC(e, i.to, 1);
			(t != i.from || n != i.to) && (a = i.undirectional ? J.undirectionalRange(i.from, i.to) : J.range(i.from == i.anchor ? t : n, i.from == i.head ? t : n));
		}
		a && (n ||= t.ranges.slice(), n[r] = a);
	}
	return n ? J.create(n, t.mainIndex) : t;
}
function XC(e, t, n) {
	let r = JC(e.state.facet(GS).map((t) => t(e)), n.from, t.head > n.from ? -1 : 1);
	return r == n.from ? n : J.cursor(r, r < n.from ? 1 : -1);
}
var ZC = class {
	constructor(e, t) {
		this.pos = e, this.assoc = t;
	}
};
function QC(e, t, n, r) {
	let i = e.contentDOM.getBoundingClientRect(), a = i.top + e.viewState.paddingTop, { x: o, y: s } = t, c = s - a, l;
	for (;;) {
		if (c < 0) return new ZC(0, 1);
		if (c > e.viewState.docHeight) return new ZC(e.state.doc.length, -1);
		if (l = e.elementAtHeight(c), r == null) break;
		if (l.type == dx.Text) {
			if (r < 0 ? l.to < e.viewport.from : l.from > e.viewport.to) break;
			let t = e.docView.coordsAt(r < 0 ? l.from : l.to, r > 0 ? -1 : 1);
			if (t && (r < 0 ? t.top <= c + a : t.bottom >= c + a)) break;
		}
		let t = e.viewState.heightOracle.textHeight / 2;
		c = r > 0 ? l.bottom + t : l.top - t;
	}
	if (e.viewport.from >= l.to || e.viewport.to <= l.from) {
		if (n) return null;
		if (l.type == dx.Text) {
			let t = HC(e, i, l, o, s);
			return new ZC(t, t == l.from ? 1 : -1);
		}
	}
	if (l.type != dx.Text) return c < (l.top + l.bottom) / 2 ? new ZC(l.from, 1) : new ZC(l.to, -1);
	let u = e.docView.lineAt(l.from, 2);
	return u && u.length == l.length || (u = e.docView.lineAt(l.from, -2)), new $C(e, o, s, e.textDirectionAt(l.from)).scanTile(u, l.from);
}
var $C = class {
	constructor(e, t, n, r) {
		this.view = e, this.x = t, this.y = n, this.baseDir = r, this.line = null, this.spans = null;
	}
	bidiSpansAt(e) {
		return (!this.line || this.line.from > e || this.line.to < e) && (this.line = this.view.state.doc.lineAt(e), this.spans = this.view.bidiSpans(this.line)), this;
	}
	baseDirAt(e, t) {
		let { line: n, spans: r } = this.bidiSpansAt(e);
		return r[oS.find(r, e - n.from, -1, t)].level == this.baseDir;
	}
	dirAt(e, t) {
		let { line: n, spans: r } = this.bidiSpansAt(e);
		return r[oS.find(r, e - n.from, -1, t)].dir;
	}
	bidiIn(e, t) {
		let { spans: n, line: r } = this.bidiSpansAt(e);
		return n.length > 1 || n.length && (n[0].level != this.baseDir || n[0].to + r.from < t);
	}
	scan(e, t, n = !1) {
		let r = 0, i = e.length - 1, a = /* @__PURE__ */ new Set(), o = this.bidiIn(e[0], e[i]), s, c, l = -1, u = 1e9, d;
		search: for (; r < i;) {
			let n = i - r, f = r + i >> 1;
			adjust: if (a.has(f)) {
				for (let e = 1; e < n; e++) {
					let t = f + e;
					if (t >= i && (t -= n), !a.has(t)) {
						f = t;
						break adjust;
					}
				}
				break search;
			}
			a.add(f);
			let p = t(f), m = 0;
			if (p) for (let e = 0; e < p.length; e++) {
				let t = p[e];
				if (!(t.width == 0 && p.length > 1)) {
					if (t.bottom < this.y) (!s || s.bottom < t.bottom) && (s = t), m = 1;
					else if (t.top > this.y) (!c || c.top > t.top) && (c = t), m = -1;
					else {
						let e = t.left > this.x ? this.x - t.left : t.right < this.x ? this.x - t.right : 0, n = Math.abs(e);
						n < u && (l = f, u = n, d = t), e && (m = e < 0 == (this.baseDir == Xx.LTR) ? -1 : 1);
					}
				}
			}
			m == -1 && (!o || this.baseDirAt(e[f], 1)) ? i = f : m == 1 && (!o || this.baseDirAt(e[f + 1], -1)) && (r = f + 1);
		}
		if (!d) {
			if (!c && !s) return {
				i: 0,
				after: !1
			};
			let n = s && (!c || this.y - s.bottom < c.top - this.y) ? s : c;
			return this.y = (n.top + n.bottom) / 2, this.scan(e, t, !0);
		}
		if (u && !n) {
			let { top: n, bottom: r } = d;
			if (s && s.bottom > (n + n + r) / 3) return this.y = s.bottom - 1, this.scan(e, t, !0);
			if (c && c.top < (n + r + r) / 3) return this.y = c.top + 1, this.scan(e, t, !0);
		}
		let f = (o ? this.dirAt(e[l], 1) : this.baseDir) == Xx.LTR;
		return {
			i: l,
			after: this.x > (d.left + d.right) / 2 == f
		};
	}
	scanText(e, t) {
		let n = [];
		for (let r = 0; r < e.length; r = ty(e.text, r)) n.push(t + r);
		n.push(t + e.length);
		let r = this.scan(n, (r) => {
			let i = n[r] - t, a = n[r + 1] - t;
			return Hx(e.dom, i, a).getClientRects();
		});
		return r.after ? new ZC(n[r.i + 1], -1) : new ZC(n[r.i], 1);
	}
	scanTile(e, t) {
		if (!e.length) return new ZC(t, 1);
		if (e.children.length == 1) {
			let n = e.children[0];
			if (n.isText()) return this.scanText(n, t);
			if (n.isComposite()) return this.scanTile(n, t);
		}
		let n = [t];
		for (let r = 0, i = t; r < e.children.length; r++) n.push(i += e.children[r].length);
		let r = this.scan(n, (t) => {
			let n = e.children[t];
			return n.flags & 48 ? null : (bx(n.dom) ? n.dom : Hx(n.dom, 0, n.length)).getClientRects();
		}), i = e.children[r.i], a = n[r.i];
		return i.isText() ? this.scanText(i, a) : i.isComposite() ? this.scanTile(i, a) : r.after ? new ZC(n[r.i + 1], -1) : new ZC(a, 1);
	}
}, ew = "￿", tw = class {
	constructor(e, t) {
		this.points = e, this.view = t, this.text = "", this.lineSeparator = t.state.facet(cb.lineSeparator);
	}
	append(e) {
		this.text += e;
	}
	lineBreak() {
		this.text += ew;
	}
	readRange(e, t) {
		if (!e) return this;
		let n = e.parentNode;
		for (let r = e;;) {
			this.findPointBefore(n, r);
			let e = this.text.length;
			this.readNode(r);
			let i = tC.get(r), a = r.nextSibling;
			if (a == t) {
				i?.breakAfter && !a && n != this.view.contentDOM && this.lineBreak();
				break;
			}
			let o = tC.get(a);
			(i && o ? i.breakAfter : (i ? i.breakAfter : Ox(r)) || Ox(a) && (r.nodeName != "BR" || i?.isWidget()) && this.text.length > e) && !rw(a, t) && this.lineBreak(), r = a;
		}
		return this.findPointBefore(n, t), this;
	}
	readTextNode(e) {
		let t = e.nodeValue;
		for (let n of this.points) n.node == e && (n.pos = this.text.length + Math.min(n.offset, t.length));
		for (let n = 0, r = this.lineSeparator ? null : /\r\n?|\n/g;;) {
			let i = -1, a = 1, o;
			if (this.lineSeparator ? (i = t.indexOf(this.lineSeparator, n), a = this.lineSeparator.length) : (o = r.exec(t)) && (i = o.index, a = o[0].length), this.append(t.slice(n, i < 0 ? t.length : i)), i < 0) break;
			if (this.lineBreak(), a > 1) for (let t of this.points) t.node == e && t.pos > this.text.length && (t.pos -= a - 1);
			n = i + a;
		}
	}
	readNode(e) {
		let t = tC.get(e), n = t && t.overrideDOMText;
		if (n != null) {
			this.findPointInside(e, n.length);
			for (let e = n.iter(); !e.next().done;) e.lineBreak ? this.lineBreak() : this.append(e.value);
		} else xx(e) ? this.readTextNode(e) : e.nodeName == "BR" ? e.nextSibling && this.lineBreak() : bx(e) && this.readRange(e.firstChild, null);
	}
	findPointBefore(e, t) {
		for (let n of this.points) n.node == e && e.childNodes[n.offset] == t && (n.pos = this.text.length);
	}
	findPointInside(e, t) {
		for (let n of this.points) (xx(e) ? n.node == e : e.contains(n.node)) && (n.pos = this.text.length + (nw(e, n.node, n.offset) ? t : 0));
	}
};
function nw(e, t, n) {
	for (;;) {
		if (!t || n < Ax(t)) return !1;
		if (t == e) return !0;
		n = Dx(t) + 1, t = t.parentNode;
	}
}
function rw(e, t) {
	let n;
	for (; e != t && e; e = e.nextSibling) {
		let t = tC.get(e);
		if (!t?.isWidget()) return !1;
		t && (n ||= []).push(t);
	}
	if (n) {
		for (let e of n) if (e.overrideDOMText?.length) return !1;
	}
	return !0;
}
var iw = class {
	constructor(e, t) {
		this.node = e, this.offset = t, this.pos = -1;
	}
}, aw = class {
	constructor(e, t, n, r) {
		this.typeOver = r, this.bounds = null, this.text = "", this.domChanged = t > -1;
		let { impreciseHead: i, impreciseAnchor: a } = e.docView, o = e.state.selection;
		if (e.state.readOnly && t > -1) this.newSel = null;
		else if (t > -1 && (this.bounds = ow(e.docView.tile, t, n, 0))) {
			let t = i || a ? [] : dw(e), n = new tw(t, e);
			n.readRange(this.bounds.startDOM, this.bounds.endDOM), this.text = n.text, this.newSel = fw(t, this.bounds.from);
		} else {
			let t = e.observer.selectionRange, n = i && i.node == t.focusNode && i.offset == t.focusOffset || !Cx(e.contentDOM, t.focusNode) ? o.main.head : e.docView.posFromDOM(t.focusNode, t.focusOffset), r = a && a.node == t.anchorNode && a.offset == t.anchorOffset || !Cx(e.contentDOM, t.anchorNode) ? o.main.anchor : e.docView.posFromDOM(t.anchorNode, t.anchorOffset), s = e.viewport;
			if ((X.ios || X.chrome) && n != r && Math.min(n, r) <= o.main.from && Math.max(n, r) >= o.main.to && (s.from > 0 || s.to < e.state.doc.length)) {
				let t = Math.min(n, r), i = Math.max(n, r), a = s.from - t, o = s.to - i;
				a != 0 && a != 1 && t != 0 || o != 0 && o != -1 && i != e.state.doc.length || (n = 0, r = e.state.doc.length);
			}
			if (e.inputState.composing > -1 && o.ranges.length > 1) this.newSel = o.replaceRange(J.range(r, n));
			else if (e.lineWrapping && r == n && !(o.main.empty && o.main.head == n) && e.inputState.lastTouchTime > Date.now() - 100) {
				let t = e.coordsAtPos(n, -1), r = 0;
				t && (r = e.inputState.lastTouchY <= t.bottom ? -1 : 1), this.newSel = J.create([J.cursor(n, r)]);
			} else this.newSel = J.single(r, n);
		}
	}
};
function ow(e, t, n, r) {
	if (e.isComposite()) {
		let i = -1, a = -1, o = -1, s = -1;
		for (let c = 0, l = r, u = r; c < e.children.length; c++) {
			let r = e.children[c], d = l + r.length;
			if (l < t && d > n) return ow(r, t, n, l);
			if (d >= t && i == -1 && (i = c, a = l), l > n && r.dom.parentNode == e.dom) {
				o = c, s = u;
				break;
			}
			u = d, l = d + r.breakAfter;
		}
		return {
			from: a,
			to: s < 0 ? r + e.length : s,
			startDOM: (i ? e.children[i - 1].dom.nextSibling : null) || e.dom.firstChild,
			endDOM: o < e.children.length && o >= 0 ? e.children[o].dom : null
		};
	}
	return e.isText() ? {
		from: r,
		to: r + e.length,
		startDOM: e.dom,
		endDOM: e.dom.nextSibling
	} : null;
}
function sw(e, t) {
	let n, { newSel: r } = t, { state: i } = e, a = i.selection.main, o = e.inputState.lastKeyTime > Date.now() - 100 ? e.inputState.lastKeyCode : -1;
	if (t.bounds) {
		let { from: e, to: r } = t.bounds, s = a.from, c = null;
		(o === 8 || X.android && t.text.length < r - e) && (s = a.to, c = "end");
		let l = i.doc.sliceString(e, r, ew), u, d;
		!a.empty && a.from >= e && a.to <= r && (t.typeOver || l != t.text) && l.slice(0, a.from - e) == t.text.slice(0, a.from - e) && l.slice(a.to - e) == t.text.slice(u = t.text.length - (l.length - (a.to - e))) ? n = {
			from: a.from,
			to: a.to,
			insert: Wv.of(t.text.slice(a.from - e, u).split(ew))
		} : (d = uw(l, t.text, s - e, c)) && (X.chrome && o == 13 && d.toB == d.from + 2 && t.text.slice(d.from, d.toB) == "￿￿" && d.toB--, n = {
			from: e + d.from,
			to: e + d.toA,
			insert: Wv.of(t.text.slice(d.from, d.toB).split(ew))
		});
	} else r && (!e.hasFocus && i.facet(FS) || pw(r, a)) && (r = null);
	if (!n && !r) return !1;
	if ((X.mac || X.android) && n && n.from == n.to && n.from == a.head - 1 && /^\. ?$/.test(n.insert.toString()) && e.contentDOM.getAttribute("autocorrect") == "off" ? (r && n.insert.length == 2 && (r = J.single(r.main.anchor - 1, r.main.head - 1)), n = {
		from: n.from,
		to: n.to,
		insert: Wv.of([n.insert.toString().replace(".", " ")])
	}) : i.doc.lineAt(a.from).to < a.to && e.docView.lineHasWidget(a.to) && e.inputState.insertingTextAt > Date.now() - 50 ? n = {
		from: a.from,
		to: a.to,
		insert: i.toText(e.inputState.insertingText)
	} : X.chrome && n && n.from == n.to && n.from == a.head && n.insert.toString() == "\n " && e.lineWrapping && (r &&= J.single(r.main.anchor - 1, r.main.head - 1), n = {
		from: a.from,
		to: a.to,
		insert: Wv.of([" "])
	}), n) return cw(e, n, r, o);
	if (r && !pw(r, a)) {
		let t = !1, n = "select";
		return e.inputState.lastSelectionTime > Date.now() - 50 && (e.inputState.lastSelectionOrigin == "select" && (t = !0), n = e.inputState.lastSelectionOrigin, n == "select.pointer" && (r = YC(i.facet(GS).map((t) => t(e)), r))), e.dispatch({
			selection: r,
			scrollIntoView: t,
			userEvent: n
		}), !0;
	}
	return !1;
}
function cw(e, t, n, r = -1) {
	if (X.ios && e.inputState.flushIOSKey(t)) return !0;
	let i = e.state.selection.main;
	if (X.android && (t.to == i.to && (t.from == i.from || t.from == i.from - 1 && e.state.sliceDoc(t.from, i.from) == " ") && t.insert.length == 1 && t.insert.lines == 2 && Ux(e.contentDOM, "Enter", 13) || (t.from == i.from - 1 && t.to == i.to && t.insert.length == 0 || r == 8 && t.insert.length < t.to - t.from && t.to > i.head) && Ux(e.contentDOM, "Backspace", 8) || t.from == i.from && t.to == i.to + 1 && t.insert.length == 0 && Ux(e.contentDOM, "Delete", 46))) return !0;
	let a = t.insert.toString();
	e.inputState.composing >= 0 && e.inputState.composing++;
	let o, s = () => o ||= lw(e, t, n);
	return e.state.facet(wS).some((n) => n(e, t.from, t.to, a, s)) || e.dispatch(s()), !0;
}
function lw(e, t, n) {
	let r, i = e.state, a = i.selection.main, o = -1;
	if (t.from == t.to && t.from < a.from || t.from > a.to) {
		let n = t.from < a.from ? -1 : 1, r = n < 0 ? a.from : a.to, s = JC(i.facet(GS).map((t) => t(e)), r, n);
		t.from == s && (o = s);
	}
	if (o > -1) r = {
		changes: t,
		selection: J.cursor(t.from + t.insert.length, -1)
	};
	else if (t.from >= a.from && t.to <= a.to && t.to - t.from >= (a.to - a.from) / 3 && (!n || n.main.empty && n.main.from == t.from + t.insert.length) && e.inputState.composing < 0) {
		let n = a.from < t.from ? i.sliceDoc(a.from, t.from) : "", o = a.to > t.to ? i.sliceDoc(t.to, a.to) : "";
		r = i.replaceSelection(e.state.toText(n + t.insert.sliceString(0, void 0, e.state.lineBreak) + o));
	} else {
		let o = i.changes(t), s = n && n.main.to <= o.newLength ? n.main : void 0;
		if (i.selection.ranges.length > 1 && (e.inputState.composing >= 0 || e.inputState.compositionPendingChange) && t.to <= a.to + 10 && t.to >= a.to - 10) {
			let c = e.state.sliceDoc(t.from, t.to), l, u = n && jC(e, n.main.head);
			if (u) {
				let e = t.insert.length - (t.to - t.from);
				l = {
					from: u.from,
					to: u.to - e
				};
			} else l = e.state.doc.lineAt(a.head);
			let d = a.to - t.to;
			r = i.changeByRange((n) => {
				if (n.from == a.from && n.to == a.to) return {
					changes: o,
					range: s || n.map(o)
				};
				let r = n.to - d, u = r - c.length;
				if (e.state.sliceDoc(u, r) != c || r >= l.from && u <= l.to) return { range: n };
				let f = i.changes({
					from: u,
					to: r,
					insert: t.insert
				}), p = n.to - a.to;
				return {
					changes: f,
					range: s ? J.range(Math.max(0, s.anchor + p), Math.max(0, s.head + p)) : n.map(f)
				};
			});
		} else r = {
			changes: o,
			selection: s && i.selection.replaceRange(s)
		};
	}
	let s = "input.type";
	return (e.composing || e.inputState.compositionPendingChange && e.inputState.compositionEndedAt > Date.now() - 50) && (e.inputState.compositionPendingChange = !1, s += ".compose", e.inputState.compositionFirstChange && (s += ".start", e.inputState.compositionFirstChange = !1)), i.update(r, {
		userEvent: s,
		scrollIntoView: !0
	});
}
function uw(e, t, n, r) {
	let i = Math.min(e.length, t.length), a = 0;
	for (; a < i && e.charCodeAt(a) == t.charCodeAt(a);) a++;
	if (a == i && e.length == t.length) return null;
	let o = e.length, s = t.length;
	for (; o > 0 && s > 0 && e.charCodeAt(o - 1) == t.charCodeAt(s - 1);) o--, s--;
	if (r == "end") {
		let e = Math.max(0, a - Math.min(o, s));
		n -= o + e - a;
	}
	if (o < a && e.length < t.length) {
		let e = n <= a && n >= o ? a - n : 0;
		a -= e, s = a + (s - o), o = a;
	} else if (s < a) {
		let e = n <= a && n >= s ? a - n : 0;
		a -= e, o = a + (o - s), s = a;
	}
	return {
		from: a,
		toA: o,
		toB: s
	};
}
function dw(e) {
	let t = [];
	if (e.root.activeElement != e.contentDOM) return t;
	let { anchorNode: n, anchorOffset: r, focusNode: i, focusOffset: a } = e.observer.selectionRange;
	return n && (t.push(new iw(n, r)), (i != n || a != r) && t.push(new iw(i, a))), t;
}
function fw(e, t) {
	if (e.length == 0) return null;
	let n = e[0].pos, r = e.length == 2 ? e[1].pos : n;
	return n < 0 || r < 0 ? null : n == r ? J.create([J.cursor(r + t, -1)]) : J.single(n + t, r + t);
}
function pw(e, t) {
	return t.head == e.main.head && t.anchor == e.main.anchor;
}
var mw = class {
	setSelectionOrigin(e) {
		this.lastSelectionOrigin = e, this.lastSelectionTime = Date.now();
	}
	constructor(e) {
		this.view = e, this.lastKeyCode = 0, this.lastKeyTime = 0, this.touchActive = !1, this.lastTouchTime = 0, this.lastTouchX = 0, this.lastTouchY = 0, this.lastFocusTime = 0, this.lastScrollTop = 0, this.lastScrollLeft = 0, this.lastWheelEvent = 0, this.pendingIOSKey = void 0, this.lastIOSMomentumScroll = 0, this.tabFocusMode = -1, this.lastSelectionOrigin = null, this.lastSelectionTime = 0, this.lastContextMenu = 0, this.scrollHandlers = [], this.handlers = Object.create(null), this.composing = -1, this.compositionFirstChange = null, this.compositionEndedAt = 0, this.compositionPendingKey = !1, this.compositionPendingChange = !1, this.insertingText = "", this.insertingTextAt = 0, this.mouseSelection = null, this.draggedContent = null, this.handleEvent = this.handleEvent.bind(this), this.notifiedFocused = e.hasFocus, X.safari && e.contentDOM.addEventListener("input", () => null), X.gecko && Zw(e.contentDOM.ownerDocument);
	}
	handleEvent(e) {
		Ow(this.view, e) && !this.ignoreDuringComposition(e) && (e.type == "keydown" && this.keydown(e) || (this.view.updateState == 0 ? this.runHandlers(e.type, e) : Promise.resolve().then(() => this.runHandlers(e.type, e))));
	}
	runHandlers(e, t) {
		let n = this.handlers[e];
		if (n) {
			for (let e of n.observers) e(this.view, t);
			for (let e of n.handlers) {
				if (t.defaultPrevented) break;
				if (e(this.view, t)) {
					t.preventDefault();
					break;
				}
			}
		}
	}
	ensureHandlers(e) {
		let t = _w(e), n = this.handlers, r = this.view.contentDOM;
		for (let e in t) if (e != "scroll") {
			let i = !t[e].handlers.length, a = n[e];
			a && i != !a.handlers.length && (r.removeEventListener(e, this.handleEvent), a = null), a || r.addEventListener(e, this.handleEvent, { passive: i });
		}
		for (let e in n) e != "scroll" && !t[e] && r.removeEventListener(e, this.handleEvent);
		this.handlers = t;
	}
	keydown(e) {
		if (this.lastKeyCode = e.keyCode, this.lastKeyTime = Date.now(), e.keyCode == 9 && this.tabFocusMode > -1 && (!this.tabFocusMode || Date.now() <= this.tabFocusMode)) return !0;
		if (this.tabFocusMode > 0 && e.keyCode != 27 && bw.indexOf(e.keyCode) < 0 && (this.tabFocusMode = -1), X.android && X.chrome && !e.synthetic && (e.keyCode == 13 || e.keyCode == 8)) return this.view.observer.delayAndroidKey(e.key, e.keyCode), !0;
		if (X.ios && !e.synthetic && !e.altKey && !e.metaKey && (vw.some((t) => t.keyCode == e.keyCode) && !e.ctrlKey || yw.indexOf(e.key) > -1 && e.ctrlKey)) {
			let t = {
				ctrlKey: e.ctrlKey,
				altKey: e.altKey,
				metaKey: e.metaKey,
				shiftKey: e.shiftKey
			};
			t.shiftKey && X.ios && !/^(off|none)$/.test(this.view.contentDOM.autocapitalize) && hw(this.view.win) && (t.shiftKey = !1);
			let n = this.pendingIOSKey = {
				key: e.key,
				keyCode: e.keyCode,
				mods: t
			};
			return setTimeout(() => {
				this.pendingIOSKey == n && this.flushIOSKey();
			}, 50), !0;
		}
		return e.keyCode != 229 && this.view.observer.forceFlush(), !1;
	}
	flushIOSKey(e) {
		let t = this.pendingIOSKey;
		return !t || this.view.observer.pendingRecords().length || t.key == "Enter" && e && e.from < e.to && /^\S+$/.test(e.insert.toString()) ? !1 : (this.pendingIOSKey = void 0, Ux(this.view.contentDOM, t.key, t.keyCode, t.mods));
	}
	ignoreDuringComposition(e) {
		return !/^key/.test(e.type) || e.synthetic ? !1 : this.composing > 0 ? !0 : X.safari && !X.ios && this.compositionPendingKey && Date.now() - this.compositionEndedAt < 100 ? (this.compositionPendingKey = !1, !0) : !1;
	}
	startMouseSelection(e) {
		this.mouseSelection && this.mouseSelection.destroy(), this.mouseSelection = e;
	}
	update(e) {
		this.view.observer.update(e), this.mouseSelection && this.mouseSelection.update(e), this.draggedContent && e.docChanged && (this.draggedContent = this.draggedContent.map(e.changes)), e.transactions.length && (this.lastKeyCode = this.lastSelectionTime = 0);
	}
	destroy() {
		this.mouseSelection && this.mouseSelection.destroy();
	}
};
function hw(e) {
	return e.visualViewport ? e.visualViewport.height * e.visualViewport.scale / e.document.documentElement.clientHeight < .85 : !1;
}
function gw(e, t) {
	return (n, r) => {
		try {
			return t.call(e, r, n);
		} catch (e) {
			PS(n.state, e);
		}
	};
}
function _w(e) {
	let t = Object.create(null);
	function n(e) {
		return t[e] || (t[e] = {
			observers: [],
			handlers: []
		});
	}
	for (let t of e) {
		let e = t.spec, r = e && e.plugin.domEventHandlers, i = e && e.plugin.domEventObservers;
		if (r) for (let e in r) {
			let i = r[e];
			i && n(e).handlers.push(gw(t.value, i));
		}
		if (i) for (let e in i) {
			let r = i[e];
			r && n(e).observers.push(gw(t.value, r));
		}
	}
	for (let e in kw) n(e).handlers.push(kw[e]);
	for (let e in Aw) n(e).observers.push(Aw[e]);
	return t;
}
var vw = [
	{
		key: "Backspace",
		keyCode: 8,
		inputType: "deleteContentBackward"
	},
	{
		key: "Enter",
		keyCode: 13,
		inputType: "insertParagraph"
	},
	{
		key: "Enter",
		keyCode: 13,
		inputType: "insertLineBreak"
	},
	{
		key: "Delete",
		keyCode: 46,
		inputType: "deleteContentForward"
	}
], yw = "dthko", bw = [
	16,
	17,
	18,
	20,
	91,
	92,
	224,
	225
], xw = 6;
function Sw(e) {
	return Math.max(0, e) * .7 + 8;
}
function Cw(e, t) {
	return Math.max(Math.abs(e.clientX - t.clientX), Math.abs(e.clientY - t.clientY));
}
var ww = class {
	constructor(e, t, n, r) {
		this.view = e, this.startEvent = t, this.style = n, this.mustSelect = r, this.scrollSpeed = {
			x: 0,
			y: 0
		}, this.scrolling = -1, this.lastEvent = t, this.scrollParents = Fx(e.contentDOM), this.atoms = e.state.facet(GS).map((t) => t(e));
		let i = e.contentDOM.ownerDocument;
		i.addEventListener("mousemove", this.move = this.move.bind(this)), i.addEventListener("mouseup", this.up = this.up.bind(this)), this.extend = t.shiftKey, this.multiple = e.state.facet(cb.allowMultipleSelections) && Tw(e, t), this.dragging = Dw(e, t) && Bw(t) == 1 ? null : !1;
	}
	start(e) {
		this.dragging === !1 && this.select(e);
	}
	move(e) {
		if (e.buttons == 0) return this.destroy();
		if (this.dragging || this.dragging == null && Cw(this.startEvent, e) < 10) return;
		this.select(this.lastEvent = e);
		let t = 0, n = 0, r = 0, i = 0, a = this.view.win.innerWidth, o = this.view.win.innerHeight;
		this.scrollParents.x && ({left: r, right: a} = this.scrollParents.x.getBoundingClientRect()), this.scrollParents.y && ({top: i, bottom: o} = this.scrollParents.y.getBoundingClientRect());
		let s = XS(this.view);
		e.clientX - s.left <= r + xw ? t = -Sw(r - e.clientX) : e.clientX + s.right >= a - xw && (t = Sw(e.clientX - a)), e.clientY - s.top <= i + xw ? n = -Sw(i - e.clientY) : e.clientY + s.bottom >= o - xw && (n = Sw(e.clientY - o)), this.setScrollSpeed(t, n);
	}
	up(e) {
		this.dragging ?? this.select(this.lastEvent), this.dragging || e.preventDefault(), this.destroy();
	}
	destroy() {
		this.setScrollSpeed(0, 0);
		let e = this.view.contentDOM.ownerDocument;
		e.removeEventListener("mousemove", this.move), e.removeEventListener("mouseup", this.up), this.view.inputState.mouseSelection = this.view.inputState.draggedContent = null;
	}
	setScrollSpeed(e, t) {
		this.scrollSpeed = {
			x: e,
			y: t
		}, e || t ? this.scrolling < 0 && (this.scrolling = setInterval(() => this.scroll(), 50)) : this.scrolling > -1 && (clearInterval(this.scrolling), this.scrolling = -1);
	}
	scroll() {
		let { x: e, y: t } = this.scrollSpeed;
		e && this.scrollParents.x && (this.scrollParents.x.scrollLeft += e, e = 0), t && this.scrollParents.y && (this.scrollParents.y.scrollTop += t, t = 0), (e || t) && this.view.win.scrollBy(e, t), this.dragging === !1 && this.select(this.lastEvent);
	}
	select(e) {
		let { view: t } = this, n = YC(this.atoms, this.style.get(e, this.extend, this.multiple));
		(this.mustSelect || !n.eq(t.state.selection, this.dragging === !1)) && this.view.dispatch({
			selection: n,
			userEvent: "select.pointer"
		}), this.mustSelect = !1;
	}
	update(e) {
		e.transactions.some((e) => e.isUserEvent("input.type")) ? this.destroy() : this.style.update(e) && setTimeout(() => this.select(this.lastEvent), 20);
	}
};
function Tw(e, t) {
	let n = e.state.facet(yS);
	return n.length ? n[0](t) : X.mac ? t.metaKey : t.ctrlKey;
}
function Ew(e, t) {
	let n = e.state.facet(bS);
	return n.length ? n[0](t) : X.mac ? !t.altKey : !t.ctrlKey;
}
function Dw(e, t) {
	let { main: n } = e.state.selection;
	if (n.empty) return !1;
	let r = Sx(e.root);
	if (!r || r.rangeCount == 0) return !0;
	let i = r.getRangeAt(0).getClientRects();
	for (let e = 0; e < i.length; e++) {
		let n = i[e];
		if (n.left <= t.clientX && n.right >= t.clientX && n.top <= t.clientY && n.bottom >= t.clientY) return !0;
	}
	return !1;
}
function Ow(e, t) {
	if (!t.bubbles) return !0;
	if (t.defaultPrevented) return !1;
	for (let n = t.target, r; n != e.contentDOM; n = n.parentNode) if (!n || n.nodeType == 11 || (r = tC.get(n)) && r.isWidget() && !r.isHidden && r.widget.ignoreEvent(t)) return !1;
	return !0;
}
var kw = /*@__PURE__*/ Object.create(null), Aw = /*@__PURE__*/ Object.create(null), jw = X.ie && X.ie_version < 15 || X.ios && X.webkit_version < 604;
function Mw(e) {
	let t = e.dom.parentNode;
	if (!t) return;
	let n = t.appendChild(document.createElement("textarea"));
	n.style.cssText = "position: fixed; left: -10000px; top: 10px", n.focus(), setTimeout(() => {
		e.focus(), n.remove(), Pw(e, n.value);
	}, 50);
}
function Nw(e, t, n) {
	for (let r of e.facet(t)) n = r(n, e);
	return n;
}
function Pw(e, t) {
	t = Nw(e.state, ES, t);
	let { state: n } = e, r, i = 1, a = n.toText(t), o = a.lines == n.selection.ranges.length;
	if (Kw != null && n.selection.ranges.every((e) => e.empty) && Kw == a.toString()) {
		let e = -1;
		r = n.changeByRange((r) => {
			let s = n.doc.lineAt(r.from);
			if (s.from == e) return { range: r };
			e = s.from;
			let c = n.toText((o ? a.line(i++).text : t) + n.lineBreak);
			return {
				changes: {
					from: s.from,
					insert: c
				},
				range: J.cursor(r.from + c.length, -1)
			};
		});
	} else r = o ? n.changeByRange((e) => {
		let t = a.line(i++);
		return {
			changes: {
				from: e.from,
				to: e.to,
				insert: t.text
			},
			range: J.cursor(e.from + t.length, -1)
		};
	}) : n.replaceSelection(a);
	e.dispatch(r, {
		userEvent: "input.paste",
		scrollIntoView: !0
	});
}
Aw.scroll = (e) => {
	let t = e.inputState;
	t.lastScrollTop = e.scrollDOM.scrollTop, t.lastScrollLeft = e.scrollDOM.scrollLeft, X.ios && !t.touchActive && (t.lastIOSMomentumScroll = Date.now());
}, Aw.wheel = Aw.mousewheel = (e) => {
	e.inputState.lastWheelEvent = Date.now();
}, kw.keydown = (e, t) => (e.inputState.setSelectionOrigin("select"), t.keyCode == 27 && e.inputState.tabFocusMode != 0 && (e.inputState.tabFocusMode = Date.now() + 2e3), !1), Aw.touchstart = (e, t) => {
	let n = e.inputState, r = t.targetTouches[0];
	n.touchActive = !0, n.lastTouchTime = Date.now(), r && (n.lastTouchX = r.clientX, n.lastTouchY = r.clientY), n.setSelectionOrigin("select.pointer");
}, Aw.touchmove = (e) => {
	e.inputState.setSelectionOrigin("select.pointer");
}, Aw.touchend = (e, t) => {
	e.inputState.touchActive = !1;
}, kw.mousedown = (e, t) => {
	if (e.observer.flush(), e.inputState.lastTouchTime > Date.now() - 2e3) return !1;
	let n = null;
	for (let r of e.state.facet(xS)) if (n = r(e, t), n) break;
	if (!n && t.button == 0 && (n = Vw(e, t)), n) {
		let r = !e.hasFocus;
		e.inputState.startMouseSelection(new ww(e, t, n, r)), r && e.observer.ignore(() => {
			Bx(e.contentDOM);
			let t = e.root.activeElement;
			t && !t.contains(e.contentDOM) && t.blur();
		});
		let i = e.inputState.mouseSelection;
		if (i) return i.start(t), i.dragging === !1;
	} else e.inputState.setSelectionOrigin("select.pointer");
	return !1;
};
function Fw(e, t, n, r) {
	if (r == 1) return J.cursor(t, n);
	if (r == 2) return VC(e.state, t, n);
	{
		let r = e.docView.lineAt(t, n), i = e.state.doc.lineAt(r ? r.posAtEnd : t), a = r ? r.posAtStart : i.from, o = r ? r.posAtEnd : i.to;
		return o < e.state.doc.length && o == i.to && o++, J.undirectionalRange(a, o);
	}
}
var Iw = X.ie && X.ie_version <= 11, Lw = null, Rw = 0, zw = 0;
function Bw(e) {
	if (!Iw) return e.detail;
	let t = Lw, n = zw;
	return Lw = e, zw = Date.now(), Rw = !t || n > Date.now() - 400 && Math.abs(t.clientX - e.clientX) < 2 && Math.abs(t.clientY - e.clientY) < 2 ? (Rw + 1) % 3 : 1;
}
function Vw(e, t) {
	let n = e.posAndSideAtCoords({
		x: t.clientX,
		y: t.clientY
	}, !1), r = Bw(t), i = e.state.selection;
	return {
		update(e) {
			e.docChanged && (n.pos = e.changes.mapPos(n.pos), i = i.map(e.changes));
		},
		get(t, a, o) {
			let s = e.posAndSideAtCoords({
				x: t.clientX,
				y: t.clientY
			}, !1), c, l = Fw(e, s.pos, s.assoc, r);
			if (n.pos != s.pos && !a) {
				let t = Fw(e, n.pos, n.assoc, r), i = Math.min(t.from, l.from), a = Math.max(t.to, l.to);
				l = i < l.from ? J.range(i, a, l.assoc) : J.range(a, i, l.assoc);
			}
			return a ? i.replaceRange(i.main.extend(l.from, l.to, l.assoc)) : o && r == 1 && i.ranges.length > 1 && (c = Hw(i, s.pos)) ? c : o ? i.addRange(l) : J.create([l]);
		}
	};
}
function Hw(e, t) {
	for (let n = 0; n < e.ranges.length; n++) {
		let { from: r, to: i } = e.ranges[n];
		if (r <= t && i >= t) return J.create(e.ranges.slice(0, n).concat(e.ranges.slice(n + 1)), e.mainIndex == n ? 0 : e.mainIndex - +(e.mainIndex > n));
	}
	return null;
}
kw.dragstart = (e, t) => {
	let { selection: { main: n } } = e.state;
	if (t.target.draggable) {
		let r = e.docView.tile.nearest(t.target);
		if (r && r.isWidget()) {
			let e = r.posAtStart, t = e + r.length;
			(e >= n.to || t <= n.from) && (n = J.undirectionalRange(e, t));
		}
	}
	let { inputState: r } = e;
	return r.mouseSelection && (r.mouseSelection.dragging = !0), r.draggedContent = n, t.dataTransfer && (t.dataTransfer.setData("Text", Nw(e.state, DS, e.state.sliceDoc(n.from, n.to))), t.dataTransfer.effectAllowed = "copyMove"), !1;
}, kw.dragend = (e) => (e.inputState.draggedContent = null, !1);
function Uw(e, t, n, r) {
	if (n = Nw(e.state, ES, n), !n) return;
	let i = e.posAtCoords({
		x: t.clientX,
		y: t.clientY
	}, !1), { draggedContent: a } = e.inputState, o = r && a && Ew(e, t) ? {
		from: a.from,
		to: a.to
	} : null, s = {
		from: i,
		insert: n
	}, c = e.state.changes(o ? [o, s] : s);
	e.focus(), e.dispatch({
		changes: c,
		selection: {
			anchor: c.mapPos(i, -1),
			head: c.mapPos(i, 1)
		},
		userEvent: o ? "move.drop" : "input.drop"
	}), e.inputState.draggedContent = null;
}
kw.drop = (e, t) => {
	if (!t.dataTransfer) return !1;
	if (e.state.readOnly) return !0;
	let n = t.dataTransfer.files;
	if (n && n.length) {
		let r = Array(n.length), i = 0, a = () => {
			++i == n.length && Uw(e, t, r.filter((e) => e != null).join(e.state.lineBreak), !1);
		};
		for (let e = 0; e < n.length; e++) {
			let t = new FileReader();
			t.onerror = a, t.onload = () => {
				/[\x00-\x08\x0e-\x1f]{2}/.test(t.result) || (r[e] = t.result), a();
			}, t.readAsText(n[e]);
		}
		return !0;
	}
	{
		let n = t.dataTransfer.getData("Text");
		if (n) return Uw(e, t, n, !0), !0;
	}
	return !1;
}, kw.paste = (e, t) => {
	if (e.state.readOnly) return !0;
	e.observer.flush();
	let n = jw ? null : t.clipboardData;
	return n ? (Pw(e, n.getData("text/plain") || n.getData("text/uri-list")), !0) : (Mw(e), !1);
};
function Ww(e, t) {
	let n = e.dom.parentNode;
	if (!n) return;
	let r = n.appendChild(document.createElement("textarea"));
	r.style.cssText = "position: fixed; left: -10000px; top: 10px", r.value = t, r.focus(), r.selectionEnd = t.length, r.selectionStart = 0, setTimeout(() => {
		r.remove(), e.focus();
	}, 50);
}
function Gw(e) {
	let t = [], n = [], r = !1;
	for (let r of e.selection.ranges) r.empty || (t.push(e.sliceDoc(r.from, r.to)), n.push(r));
	if (!t.length) {
		let i = -1;
		for (let { from: r } of e.selection.ranges) {
			let a = e.doc.lineAt(r);
			a.number > i && (t.push(a.text), n.push({
				from: a.from,
				to: Math.min(e.doc.length, a.to + 1)
			})), i = a.number;
		}
		r = !0;
	}
	return {
		text: Nw(e, DS, t.join(e.lineBreak)),
		ranges: n,
		linewise: r
	};
}
var Kw = null;
kw.copy = kw.cut = (e, t) => {
	if (!wx(e.contentDOM, e.observer.selectionRange)) return !1;
	let { text: n, ranges: r, linewise: i } = Gw(e.state);
	if (!n && !i) return !1;
	Kw = i ? n : null, t.type == "cut" && !e.state.readOnly && e.dispatch({
		changes: r,
		scrollIntoView: !0,
		userEvent: "delete.cut"
	});
	let a = jw ? null : t.clipboardData;
	return a ? (a.clearData(), a.setData("text/plain", n), !0) : (Ww(e, n), !1);
};
var qw = /*@__PURE__*/ Wy.define();
function Jw(e, t) {
	let n = [];
	for (let r of e.facet(TS)) {
		let i = r(e, t);
		i && n.push(i);
	}
	return n.length ? e.update({
		effects: n,
		annotations: qw.of(!0)
	}) : null;
}
function Yw(e) {
	setTimeout(() => {
		let t = e.hasFocus;
		if (t != e.inputState.notifiedFocused) {
			let n = Jw(e.state, t);
			n ? e.dispatch(n) : e.update([]);
		}
	}, 10);
}
Aw.focus = (e) => {
	e.inputState.lastFocusTime = Date.now(), !e.scrollDOM.scrollTop && (e.inputState.lastScrollTop || e.inputState.lastScrollLeft) && (e.scrollDOM.scrollTop = e.inputState.lastScrollTop, e.scrollDOM.scrollLeft = e.inputState.lastScrollLeft), Yw(e);
}, Aw.blur = (e) => {
	e.observer.clearSelectionRange(), Yw(e);
}, Aw.compositionstart = Aw.compositionupdate = (e, t) => {
	if (!e.observer.editContext && (e.inputState.compositionFirstChange ?? (e.inputState.compositionFirstChange = !0), e.inputState.composing < 0)) {
		let { main: t } = e.state.selection;
		!t.empty && e.lineBlockAt(t.from).from != e.lineBlockAt(t.to).from && !e.state.readOnly && e.dispatch({
			changes: e.state.selection.ranges.filter((e) => !e.empty).map((e) => ({
				from: e.from,
				to: e.to
			})),
			userEvent: "input"
		}), e.inputState.composing = 0;
	}
}, Aw.compositionend = (e) => {
	e.observer.editContext || (e.inputState.composing = -1, e.inputState.compositionEndedAt = Date.now(), e.inputState.compositionPendingKey = !0, e.inputState.compositionPendingChange = e.observer.pendingRecords().length > 0, e.inputState.compositionFirstChange = null, X.chrome && X.android ? e.observer.flushSoon() : e.inputState.compositionPendingChange ? Promise.resolve().then(() => e.observer.flush()) : setTimeout(() => {
		e.inputState.composing < 0 && e.docView.hasComposition && e.update([]);
	}, 50));
}, Aw.contextmenu = (e) => {
	e.inputState.lastContextMenu = Date.now();
}, kw.beforeinput = (e, t) => {
	if ((t.inputType == "insertText" || t.inputType == "insertCompositionText") && (e.inputState.insertingText = t.data, e.inputState.insertingTextAt = Date.now()), t.inputType == "insertReplacementText" && e.observer.editContext) {
		let n = t.dataTransfer?.getData("text/plain"), r = t.getTargetRanges();
		if (n && r.length) {
			let t = r[0];
			return cw(e, {
				from: e.posAtDOM(t.startContainer, t.startOffset),
				to: e.posAtDOM(t.endContainer, t.endOffset),
				insert: e.state.toText(n)
			}, null), !0;
		}
	}
	let n;
	if (X.chrome && X.android && (n = vw.find((e) => e.inputType == t.inputType)) && (e.observer.delayAndroidKey(n.key, n.keyCode), n.key == "Backspace" || n.key == "Delete")) {
		let t = window.visualViewport?.height || 0;
		setTimeout(() => {
			(window.visualViewport?.height || 0) > t + 10 && e.hasFocus && (e.contentDOM.blur(), e.focus());
		}, 100);
	}
	return X.ios && t.inputType == "deleteContentForward" && e.observer.flushSoon(), X.safari && t.inputType == "insertText" && e.inputState.composing >= 0 && setTimeout(() => Aw.compositionend(e, t), 20), !1;
};
var Xw = /*@__PURE__*/ new Set();
function Zw(e) {
	Xw.has(e) || (Xw.add(e), e.addEventListener("copy", () => {}), e.addEventListener("cut", () => {}));
}
var Qw = [
	"pre-wrap",
	"normal",
	"pre-line",
	"break-spaces"
], $w = !1;
function eT() {
	$w = !1;
}
var tT = class {
	constructor(e) {
		this.lineWrapping = e, this.doc = Wv.empty, this.heightSamples = {}, this.lineHeight = 14, this.charWidth = 7, this.textHeight = 14, this.lineLength = 30;
	}
	heightForGap(e, t) {
		let n = this.doc.lineAt(t).number - this.doc.lineAt(e).number + 1;
		return this.lineWrapping && (n += Math.max(0, Math.ceil((t - e - n * this.lineLength * .5) / this.lineLength))), this.lineHeight * n;
	}
	heightForLine(e) {
		return this.lineWrapping ? (1 + Math.max(0, Math.ceil((e - this.lineLength) / Math.max(1, this.lineLength - 5)))) * this.lineHeight : this.lineHeight;
	}
	setDoc(e) {
		return this.doc = e, this;
	}
	mustRefreshForWrapping(e) {
		return Qw.indexOf(e) > -1 != this.lineWrapping;
	}
	mustRefreshForHeights(e) {
		let t = !1;
		for (let n = 0; n < e.length; n++) {
			let r = e[n];
			r < 0 ? n++ : this.heightSamples[Math.floor(r * 10)] || (t = !0, this.heightSamples[Math.floor(r * 10)] = !0);
		}
		return t;
	}
	refresh(e, t, n, r, i, a) {
		let o = Qw.indexOf(e) > -1, s = Math.abs(t - this.lineHeight) > .3 || this.lineWrapping != o;
		if (this.lineWrapping = o, this.lineHeight = t, this.charWidth = n, this.textHeight = r, this.lineLength = i, s) {
			this.heightSamples = {};
			for (let e = 0; e < a.length; e++) {
				let t = a[e];
				t < 0 ? e++ : this.heightSamples[Math.floor(t * 10)] = !0;
			}
		}
		return s;
	}
}, nT = class {
	constructor(e, t) {
		this.from = e, this.heights = t, this.index = 0;
	}
	get more() {
		return this.index < this.heights.length;
	}
}, rT = class e {
	constructor(e, t, n, r, i) {
		this.from = e, this.length = t, this.top = n, this.height = r, this._content = i;
	}
	get type() {
		return typeof this._content == "number" ? dx.Text : Array.isArray(this._content) ? this._content : this._content.type;
	}
	get to() {
		return this.from + this.length;
	}
	get bottom() {
		return this.top + this.height;
	}
	get widget() {
		return this._content instanceof hx ? this._content.widget : null;
	}
	get widgetLineBreaks() {
		return typeof this._content == "number" ? this._content : 0;
	}
	join(t) {
		let n = (Array.isArray(this._content) ? this._content : [this]).concat(Array.isArray(t._content) ? t._content : [t]);
		return new e(this.from, this.length + t.length, this.top, this.height + t.height, n);
	}
}, iT = /*@__PURE__*/ (function(e) {
	return e[e.ByPos = 0] = "ByPos", e[e.ByHeight = 1] = "ByHeight", e[e.ByPosNoHeight = 2] = "ByPosNoHeight", e;
})(iT ||= {}), aT = .001, oT = class e {
	constructor(e, t, n = 2) {
		this.length = e, this.height = t, this.flags = n;
	}
	get outdated() {
		return (this.flags & 2) > 0;
	}
	set outdated(e) {
		this.flags = (e ? 2 : 0) | this.flags & -3;
	}
	setHeight(e) {
		this.height != e && (Math.abs(this.height - e) > aT && ($w = !0), this.height = e);
	}
	replace(t, n, r) {
		return e.of(r);
	}
	decomposeLeft(e, t) {
		t.push(this);
	}
	decomposeRight(e, t) {
		t.push(this);
	}
	applyChanges(e, t, n, r) {
		let i = this, a = n.doc;
		for (let o = r.length - 1; o >= 0; o--) {
			let { fromA: s, toA: c, fromB: l, toB: u } = r[o], d = i.lineAt(s, iT.ByPosNoHeight, n.setDoc(t), 0, 0), f = d.to >= c ? d : i.lineAt(c, iT.ByPosNoHeight, n, 0, 0);
			for (u += f.to - c, c = f.to; o > 0 && d.from <= r[o - 1].toA;) s = r[o - 1].fromA, l = r[o - 1].fromB, o--, s < d.from && (d = i.lineAt(s, iT.ByPosNoHeight, n, 0, 0));
			l += d.from - s, s = d.from;
			let p = hT.build(n.setDoc(a), e, l, u);
			i = sT(i, i.replace(s, c, p));
		}
		return i.updateHeight(n, 0);
	}
	static empty() {
		return new uT(0, 0, 0);
	}
	static of(t) {
		if (t.length == 1) return t[0];
		let n = 0, r = t.length, i = 0, a = 0;
		for (;;) if (n == r) {
			if (i > a * 2) {
				let e = t[n - 1];
				e.break ? t.splice(--n, 1, e.left, null, e.right) : t.splice(--n, 1, e.left, e.right), r += 1 + e.break, i -= e.size;
			} else if (a > i * 2) {
				let e = t[r];
				e.break ? t.splice(r, 1, e.left, null, e.right) : t.splice(r, 1, e.left, e.right), r += 2 + e.break, a -= e.size;
			} else break;
		} else if (i < a) {
			let e = t[n++];
			e && (i += e.size);
		} else {
			let e = t[--r];
			e && (a += e.size);
		}
		let o = !1;
		return t[n - 1] == null ? (o = !0, n--) : t[n] ?? (o = !0, r++), new fT(e.of(t.slice(0, n)), o, e.of(t.slice(r)));
	}
};
function sT(e, t) {
	return e == t ? e : (e.constructor != t.constructor && ($w = !0), t);
}
oT.prototype.size = 1;
var cT = /*@__PURE__*/ fx.replace({}), lT = class extends oT {
	constructor(e, t, n) {
		super(e, t), this.deco = n, this.spaceAbove = 0;
	}
	mainBlock(e, t) {
		return new rT(t, this.length, e + this.spaceAbove, this.height - this.spaceAbove, this.deco || 0);
	}
	blockAt(e, t, n, r) {
		return this.spaceAbove && e < n + this.spaceAbove ? new rT(r, 0, n, this.spaceAbove, cT) : this.mainBlock(n, r);
	}
	lineAt(e, t, n, r, i) {
		let a = this.mainBlock(r, i);
		return this.spaceAbove ? this.blockAt(0, n, r, i).join(a) : a;
	}
	forEachLine(e, t, n, r, i, a) {
		e <= i + this.length && t >= i && a(this.lineAt(0, iT.ByPos, n, r, i));
	}
	setMeasuredHeight(e) {
		let t = e.heights[e.index++];
		t < 0 ? (this.spaceAbove = -t, t = e.heights[e.index++]) : this.spaceAbove = 0, this.setHeight(t);
	}
	updateHeight(e, t = 0, n = !1, r) {
		return r && r.from <= t && r.more && this.setMeasuredHeight(r), this.outdated = !1, this;
	}
	toString() {
		return `block(${this.length})`;
	}
}, uT = class e extends lT {
	constructor(e, t, n) {
		super(e, t, null), this.collapsed = 0, this.widgetHeight = 0, this.breaks = 0, this.spaceAbove = n;
	}
	mainBlock(e, t) {
		return new rT(t, this.length, e + this.spaceAbove, this.height - this.spaceAbove, this.breaks);
	}
	replace(t, n, r) {
		let i = r[0];
		return r.length == 1 && (i instanceof e || i instanceof dT && i.flags & 4) && Math.abs(this.length - i.length) < 10 ? (i instanceof dT ? i = new e(i.length, this.height, this.spaceAbove) : i.height = this.height, this.outdated || (i.outdated = !1), i) : oT.of(r);
	}
	updateHeight(e, t = 0, n = !1, r) {
		return r && r.from <= t && r.more ? this.setMeasuredHeight(r) : (n || this.outdated) && (this.spaceAbove = 0, this.setHeight(Math.max(this.widgetHeight, e.heightForLine(this.length - this.collapsed)) + this.breaks * e.lineHeight)), this.outdated = !1, this;
	}
	toString() {
		return `line(${this.length}${this.collapsed ? -this.collapsed : ""}${this.widgetHeight ? ":" + this.widgetHeight : ""})`;
	}
}, dT = class e extends oT {
	constructor(e) {
		super(e, 0);
	}
	heightMetrics(e, t) {
		let n = e.doc.lineAt(t).number, r = e.doc.lineAt(t + this.length).number, i = r - n + 1, a, o = 0;
		if (e.lineWrapping) {
			let t = Math.min(this.height, e.lineHeight * i);
			a = t / i, this.length > i + 1 && (o = (this.height - t) / (this.length - i - 1));
		} else a = this.height / i;
		return {
			firstLine: n,
			lastLine: r,
			perLine: a,
			perChar: o
		};
	}
	blockAt(e, t, n, r) {
		let { firstLine: i, lastLine: a, perLine: o, perChar: s } = this.heightMetrics(t, r);
		if (t.lineWrapping) {
			let i = r + (e < t.lineHeight ? 0 : Math.round(Math.max(0, Math.min(1, (e - n) / this.height)) * this.length)), a = t.doc.lineAt(i), c = o + a.length * s, l = Math.max(n, e - c / 2);
			return new rT(a.from, a.length, l, c, 0);
		}
		{
			let r = Math.max(0, Math.min(a - i, Math.floor((e - n) / o))), { from: s, length: c } = t.doc.line(i + r);
			return new rT(s, c, n + o * r, o, 0);
		}
	}
	lineAt(e, t, n, r, i) {
		if (t == iT.ByHeight) return this.blockAt(e, n, r, i);
		if (t == iT.ByPosNoHeight) {
			let { from: t, to: r } = n.doc.lineAt(e);
			return new rT(t, r - t, 0, 0, 0);
		}
		let { firstLine: a, perLine: o, perChar: s } = this.heightMetrics(n, i), c = n.doc.lineAt(e), l = o + c.length * s, u = c.number - a, d = r + o * u + s * (c.from - i - u);
		return new rT(c.from, c.length, Math.max(r, Math.min(d, r + this.height - l)), l, 0);
	}
	forEachLine(e, t, n, r, i, a) {
		e = Math.max(e, i), t = Math.min(t, i + this.length);
		let { firstLine: o, perLine: s, perChar: c } = this.heightMetrics(n, i);
		for (let l = e, u = r; l <= t;) {
			let t = n.doc.lineAt(l);
			if (l == e) {
				let n = t.number - o;
				u += s * n + c * (e - i - n);
			}
			let r = s + c * t.length;
			a(new rT(t.from, t.length, u, r, 0)), u += r, l = t.to + 1;
		}
	}
	replace(t, n, r) {
		let i = this.length - n;
		if (i > 0) {
			let t = r[r.length - 1];
			t instanceof e ? r[r.length - 1] = new e(t.length + i) : r.push(null, new e(i - 1));
		}
		if (t > 0) {
			let n = r[0];
			n instanceof e ? r[0] = new e(t + n.length) : r.unshift(new e(t - 1), null);
		}
		return oT.of(r);
	}
	decomposeLeft(t, n) {
		n.push(new e(t - 1), null);
	}
	decomposeRight(t, n) {
		n.push(null, new e(this.length - t - 1));
	}
	updateHeight(t, n = 0, r = !1, i) {
		let a = n + this.length;
		if (i && i.from <= n + this.length && i.more) {
			let r = [], o = Math.max(n, i.from), s = -1;
			for (i.from > n && r.push(new e(i.from - n - 1).updateHeight(t, n)); o <= a && i.more;) {
				let e = t.doc.lineAt(o).length;
				r.length && r.push(null);
				let n = i.heights[i.index++], a = 0;
				n < 0 && (a = -n, n = i.heights[i.index++]), s == -1 ? s = n : Math.abs(n - s) >= aT && (s = -2);
				let c = new uT(e, n, a);
				c.outdated = !1, r.push(c), o += e + 1;
			}
			o <= a && r.push(null, new e(a - o).updateHeight(t, o));
			let c = oT.of(r);
			return (s < 0 || Math.abs(c.height - this.height) >= aT || Math.abs(s - this.heightMetrics(t, n).perLine) >= aT) && ($w = !0), sT(this, c);
		}
		return (r || this.outdated) && (this.setHeight(t.heightForGap(n, n + this.length)), this.outdated = !1), this;
	}
	toString() {
		return `gap(${this.length})`;
	}
}, fT = class extends oT {
	constructor(e, t, n) {
		super(e.length + +!!t + n.length, e.height + n.height, +!!t | (e.outdated || n.outdated ? 2 : 0)), this.left = e, this.right = n, this.size = e.size + n.size;
	}
	get break() {
		return this.flags & 1;
	}
	blockAt(e, t, n, r) {
		let i = n + this.left.height;
		return e < i ? this.left.blockAt(e, t, n, r) : this.right.blockAt(e, t, i, r + this.left.length + this.break);
	}
	lineAt(e, t, n, r, i) {
		let a = r + this.left.height, o = i + this.left.length + this.break, s = t == iT.ByHeight ? e < a : e < o, c = s ? this.left.lineAt(e, t, n, r, i) : this.right.lineAt(e, t, n, a, o);
		if (this.break || (s ? c.to < o : c.from > o)) return c;
		let l = t == iT.ByPosNoHeight ? iT.ByPosNoHeight : iT.ByPos;
		return s ? c.join(this.right.lineAt(o, l, n, a, o)) : this.left.lineAt(o, l, n, r, i).join(c);
	}
	forEachLine(e, t, n, r, i, a) {
		let o = r + this.left.height, s = i + this.left.length + this.break;
		if (this.break) e < s && this.left.forEachLine(e, t, n, r, i, a), t >= s && this.right.forEachLine(e, t, n, o, s, a);
		else {
			let c = this.lineAt(s, iT.ByPos, n, r, i);
			e < c.from && this.left.forEachLine(e, Math.min(t, c.from - 1), n, r, i, a), c.to >= e && c.from <= t && a(c), t > c.to && this.right.forEachLine(Math.max(e, c.to + 1), t, n, o, s, a);
		}
	}
	replace(e, t, n) {
		let r = this.left.length + this.break;
		if (t < r) return this.balanced(this.left.replace(e, t, n), this.right);
		if (e > this.left.length) return this.balanced(this.left, this.right.replace(e - r, t - r, n));
		let i = [];
		e > 0 && this.decomposeLeft(e, i);
		let a = i.length;
		for (let e of n) i.push(e);
		if (e > 0 && pT(i, a - 1), t < this.length) {
			let e = i.length;
			this.decomposeRight(t, i), pT(i, e);
		}
		return oT.of(i);
	}
	decomposeLeft(e, t) {
		let n = this.left.length;
		if (e <= n) return this.left.decomposeLeft(e, t);
		t.push(this.left), this.break && (n++, e >= n && t.push(null)), e > n && this.right.decomposeLeft(e - n, t);
	}
	decomposeRight(e, t) {
		let n = this.left.length, r = n + this.break;
		if (e >= r) return this.right.decomposeRight(e - r, t);
		e < n && this.left.decomposeRight(e, t), this.break && e < r && t.push(null), t.push(this.right);
	}
	balanced(e, t) {
		return e.size > 2 * t.size || t.size > 2 * e.size ? oT.of(this.break ? [
			e,
			null,
			t
		] : [e, t]) : (this.left = sT(this.left, e), this.right = sT(this.right, t), this.setHeight(e.height + t.height), this.outdated = e.outdated || t.outdated, this.size = e.size + t.size, this.length = e.length + this.break + t.length, this);
	}
	updateHeight(e, t = 0, n = !1, r) {
		let { left: i, right: a } = this, o = t + i.length + this.break, s = null;
		return r && r.from <= t + i.length && r.more ? s = i = i.updateHeight(e, t, n, r) : i.updateHeight(e, t, n), r && r.from <= o + a.length && r.more ? s = a = a.updateHeight(e, o, n, r) : a.updateHeight(e, o, n), s ? this.balanced(i, a) : (this.height = this.left.height + this.right.height, this.outdated = !1, this);
	}
	toString() {
		return this.left + (this.break ? " " : "-") + this.right;
	}
};
function pT(e, t) {
	let n, r;
	e[t] == null && (n = e[t - 1]) instanceof dT && (r = e[t + 1]) instanceof dT && e.splice(t - 1, 3, new dT(n.length + 1 + r.length));
}
var mT = 5, hT = class e {
	constructor(e, t) {
		this.pos = e, this.oracle = t, this.nodes = [], this.lineStart = -1, this.lineEnd = -1, this.covering = null, this.writtenTo = e;
	}
	get isCovered() {
		return this.covering && this.nodes[this.nodes.length - 1] == this.covering;
	}
	span(e, t) {
		if (this.lineStart > -1) {
			let e = Math.min(t, this.lineEnd), n = this.nodes[this.nodes.length - 1];
			n instanceof uT ? n.length += e - this.pos : (e > this.pos || !this.isCovered) && this.nodes.push(new uT(e - this.pos, -1, 0)), this.writtenTo = e, t > e && (this.nodes.push(null), this.writtenTo++, this.lineStart = -1);
		}
		this.pos = t;
	}
	point(e, t, n) {
		if (e < t || n.heightRelevant) {
			let r = n.widget ? n.widget.estimatedHeight : 0, i = n.widget ? n.widget.lineBreaks : 0;
			r < 0 && (r = this.oracle.lineHeight);
			let a = t - e;
			n.block ? this.addBlock(new lT(a, r, n)) : (a || i || r >= mT) && this.addLineDeco(r, i, a);
		} else t > e && this.span(e, t);
		this.lineEnd > -1 && this.lineEnd < this.pos && (this.lineEnd = this.oracle.doc.lineAt(this.pos).to);
	}
	enterLine() {
		if (this.lineStart > -1) return;
		let { from: e, to: t } = this.oracle.doc.lineAt(this.pos);
		this.lineStart = e, this.lineEnd = t, this.writtenTo < e && ((this.writtenTo < e - 1 || this.nodes[this.nodes.length - 1] == null) && this.nodes.push(this.blankContent(this.writtenTo, e - 1)), this.nodes.push(null)), this.pos > e && this.nodes.push(new uT(this.pos - e, -1, 0)), this.writtenTo = this.pos;
	}
	blankContent(e, t) {
		let n = new dT(t - e);
		return this.oracle.doc.lineAt(e).to == t && (n.flags |= 4), n;
	}
	ensureLine() {
		this.enterLine();
		let e = this.nodes.length ? this.nodes[this.nodes.length - 1] : null;
		if (e instanceof uT) return e;
		let t = new uT(0, -1, 0);
		return this.nodes.push(t), t;
	}
	addBlock(e) {
		this.enterLine();
		let t = e.deco;
		t && t.startSide > 0 && !this.isCovered && this.ensureLine(), this.nodes.push(e), this.writtenTo = this.pos += e.length, t && t.endSide > 0 && (this.covering = e);
	}
	addLineDeco(e, t, n) {
		let r = this.ensureLine();
		r.length += n, r.collapsed += n, r.widgetHeight = Math.max(r.widgetHeight, e), r.breaks += t, this.writtenTo = this.pos += n;
	}
	finish(e) {
		let t = this.nodes.length == 0 ? null : this.nodes[this.nodes.length - 1];
		this.lineStart > -1 && !(t instanceof uT) && !this.isCovered ? this.nodes.push(new uT(0, -1, 0)) : (this.writtenTo < this.pos || t == null) && this.nodes.push(this.blankContent(this.writtenTo, this.pos));
		let n = e;
		for (let e of this.nodes) e instanceof uT && e.updateHeight(this.oracle, n), n += e ? e.length : 1;
		return this.nodes;
	}
	static build(t, n, r, i) {
		let a = new e(r, t);
		return hb.spans(n, r, i, a, 0), a.finish(r);
	}
};
function gT(e, t, n) {
	let r = new _T();
	return hb.compare(e, t, n, r, 0), r.changes;
}
var _T = class {
	constructor() {
		this.changes = [];
	}
	compareRange() {}
	comparePoint(e, t, n, r) {
		(e < t || n && n.heightRelevant || r && r.heightRelevant) && vx(e, t, this.changes, 5);
	}
};
function vT(e, t) {
	let n = e.getBoundingClientRect(), r = e.ownerDocument, i = r.defaultView || window, a = Math.max(0, n.left), o = Math.min(i.innerWidth, n.right), s = Math.max(0, n.top), c = Math.min(i.innerHeight, n.bottom);
	for (let t = e.parentNode; t && t != r.body;) if (bx(t)) {
		let n = window.getComputedStyle(t);
		if ((t.scrollHeight > t.clientHeight || t.scrollWidth > t.clientWidth) && n.overflow != "visible") {
			let n = t.getBoundingClientRect();
			a = Math.max(a, n.left), o = Math.min(o, n.right), s = Math.max(s, n.top), c = Math.min(t == e.parentNode ? i.innerHeight : c, n.bottom);
		}
		t = n.position == "absolute" || n.position == "fixed" ? t.offsetParent : t.parentNode;
	} else if (t.nodeType == 11) t = t.host;
	else break;
	return {
		left: a - n.left,
		right: Math.max(a, o) - n.left,
		top: s - (n.top + t),
		bottom: Math.max(s, c) - (n.top + t)
	};
}
function yT(e) {
	let t = e.getBoundingClientRect(), n = e.ownerDocument.defaultView || window;
	return t.left < n.innerWidth && t.right > 0 && t.top < n.innerHeight && t.bottom > 0;
}
function bT(e, t) {
	let n = e.getBoundingClientRect();
	return {
		left: 0,
		right: n.right - n.left,
		top: t,
		bottom: n.bottom - (n.top + t)
	};
}
var xT = class {
	constructor(e, t, n, r) {
		this.from = e, this.to = t, this.size = n, this.displaySize = r;
	}
	static same(e, t) {
		if (e.length != t.length) return !1;
		for (let n = 0; n < e.length; n++) {
			let r = e[n], i = t[n];
			if (r.from != i.from || r.to != i.to || r.size != i.size) return !1;
		}
		return !0;
	}
	draw(e, t) {
		return fx.replace({ widget: new ST(this.displaySize * (t ? e.scaleY : e.scaleX), t) }).range(this.from, this.to);
	}
}, ST = class extends ux {
	constructor(e, t) {
		super(), this.size = e, this.vertical = t;
	}
	eq(e) {
		return e.size == this.size && e.vertical == this.vertical;
	}
	toDOM() {
		let e = document.createElement("div");
		return this.vertical ? e.style.height = this.size + "px" : (e.style.width = this.size + "px", e.style.height = "2px", e.style.display = "inline-block"), e;
	}
	get estimatedHeight() {
		return this.vertical ? this.size : -1;
	}
}, CT = class {
	constructor(e, t) {
		this.view = e, this.state = t, this.pixelViewport = {
			left: 0,
			right: window.innerWidth,
			top: 0,
			bottom: 0
		}, this.inView = !0, this.paddingTop = 0, this.paddingBottom = 0, this.contentDOMWidth = 0, this.contentDOMHeight = 0, this.editorHeight = 0, this.editorWidth = 0, this.scaleX = 1, this.scaleY = 1, this.scrollOffset = 0, this.scrolledToBottom = !1, this.scrollAnchorPos = 0, this.scrollAnchorHeight = -1, this.scaler = kT, this.scrollTarget = null, this.printing = !1, this.mustMeasureContent = !0, this.defaultTextDirection = Xx.LTR, this.visibleRanges = [], this.mustEnforceCursorAssoc = !1;
		let n = t.facet(VS).some((e) => typeof e != "function" && e.class == "cm-lineWrapping");
		this.heightOracle = new tT(n), this.stateDeco = AT(t), this.heightMap = oT.empty().applyChanges(this.stateDeco, Wv.empty, this.heightOracle.setDoc(t.doc), [new QS(0, 0, 0, t.doc.length)]);
		for (let e = 0; e < 2 && (this.viewport = this.getViewport(0, null), this.updateForViewport()); e++);
		this.updateViewportLines(), this.lineGaps = this.ensureLineGaps([]), this.lineGapDeco = fx.set(this.lineGaps.map((e) => e.draw(this, !1))), this.scrollParent = e.scrollDOM, this.computeVisibleRanges();
	}
	updateForViewport() {
		let e = [this.viewport], { main: t } = this.state.selection;
		for (let n = 0; n <= 1; n++) {
			let r = n ? t.head : t.anchor;
			if (!e.some(({ from: e, to: t }) => r >= e && r <= t)) {
				let { from: t, to: n } = this.lineBlockAt(r);
				e.push(new wT(t, n));
			}
		}
		return this.viewports = e.sort((e, t) => e.from - t.from), this.updateScaler();
	}
	updateScaler() {
		let e = this.scaler;
		return this.scaler = this.heightMap.height <= 7e6 ? kT : jT.get(this.heightOracle, this.heightMap, this.viewports), e.eq(this.scaler) ? 0 : 2;
	}
	updateViewportLines() {
		this.viewportLines = [], this.heightMap.forEachLine(this.viewport.from, this.viewport.to, this.heightOracle.setDoc(this.state.doc), 0, 0, (e) => {
			this.viewportLines.push(MT(e, this.scaler));
		});
	}
	update(e, t = null) {
		this.state = e.state;
		let n = this.stateDeco;
		this.stateDeco = AT(this.state);
		let r = e.changedRanges, i = QS.extendWithRanges(r, gT(n, this.stateDeco, e ? e.changes : uy.empty(this.state.doc.length))), a = this.heightMap.height, o = this.scrolledToBottom ? null : this.scrollAnchorAt(this.scrollOffset);
		eT(), this.heightMap = this.heightMap.applyChanges(this.stateDeco, e.startState.doc, this.heightOracle.setDoc(this.state.doc), i), (this.heightMap.height != a || $w) && (e.flags |= 2), o ? (this.scrollAnchorPos = e.changes.mapPos(o.from, -1), this.scrollAnchorHeight = o.top) : (this.scrollAnchorPos = -1, this.scrollAnchorHeight = a);
		let s = i.length ? this.mapViewport(this.viewport, e.changes) : this.viewport;
		(t && (t.range.head < s.from || t.range.head > s.to) || !this.viewportIsAppropriate(s)) && (s = this.getViewport(0, t));
		let c = s.from != this.viewport.from || s.to != this.viewport.to;
		this.viewport = s, e.flags |= this.updateForViewport(), (c || !e.changes.empty || e.flags & 2) && this.updateViewportLines(), (this.lineGaps.length || this.viewport.to - this.viewport.from > 4e3) && this.updateLineGaps(this.ensureLineGaps(this.mapLineGaps(this.lineGaps, e.changes))), e.flags |= this.computeVisibleRanges(e.changes), t && (this.scrollTarget = t), !this.mustEnforceCursorAssoc && (e.selectionSet || e.focusChanged) && e.view.lineWrapping && e.state.selection.main.empty && e.state.selection.main.assoc && !e.state.facet(kS) && (this.mustEnforceCursorAssoc = !0);
	}
	measure() {
		let { view: e } = this, t = e.contentDOM, n = window.getComputedStyle(t), r = this.heightOracle, i = n.whiteSpace;
		this.defaultTextDirection = n.direction == "rtl" ? Xx.RTL : Xx.LTR;
		let a = this.heightOracle.mustRefreshForWrapping(i) || this.mustMeasureContent === "refresh", o = t.getBoundingClientRect(), s = a || this.mustMeasureContent || this.contentDOMHeight != o.height;
		this.contentDOMHeight = o.height, this.mustMeasureContent = !1;
		let c = 0, l = 0;
		if (o.width && o.height) {
			let { scaleX: e, scaleY: n } = Nx(t, o);
			(e > .005 && Math.abs(this.scaleX - e) > .005 || n > .005 && Math.abs(this.scaleY - n) > .005) && (this.scaleX = e, this.scaleY = n, c |= 16, a = s = !0);
		}
		let u = (parseInt(n.paddingTop) || 0) * this.scaleY, d = (parseInt(n.paddingBottom) || 0) * this.scaleY;
		(this.paddingTop != u || this.paddingBottom != d) && (this.paddingTop = u, this.paddingBottom = d, c |= 18), this.editorWidth != e.scrollDOM.clientWidth && (r.lineWrapping && (s = !0), this.editorWidth = e.scrollDOM.clientWidth, c |= 16);
		let f = Fx(this.view.contentDOM, !1).y;
		f != this.scrollParent && (this.scrollParent = f, this.scrollAnchorHeight = -1, this.scrollOffset = 0);
		let p = this.getScrollOffset();
		this.scrollOffset != p && (this.scrollAnchorHeight = -1, this.scrollOffset = p), this.scrolledToBottom = Kx(this.scrollParent || e.win);
		let m = (this.printing ? bT : vT)(t, this.paddingTop), h = m.top - this.pixelViewport.top, g = m.bottom - this.pixelViewport.bottom;
		this.pixelViewport = m;
		let _ = this.pixelViewport.bottom > this.pixelViewport.top && this.pixelViewport.right > this.pixelViewport.left;
		if (_ != this.inView && (this.inView = _, _ && (s = !0)), !this.inView && !this.scrollTarget && !yT(e.dom)) return 0;
		let v = o.width;
		if ((this.contentDOMWidth != v || this.editorHeight != e.scrollDOM.clientHeight) && (this.contentDOMWidth = o.width, this.editorHeight = e.scrollDOM.clientHeight, c |= 16), s) {
			let t = e.docView.measureVisibleLineHeights(this.viewport);
			if (r.mustRefreshForHeights(t) && (a = !0), a || r.lineWrapping && Math.abs(v - this.contentDOMWidth) > r.charWidth) {
				let { lineHeight: n, charWidth: o, textHeight: s } = e.docView.measureTextSize();
				a = n > 0 && r.refresh(i, n, o, s, Math.max(5, v / o), t), a && (e.docView.minWidth = 0, c |= 16);
			}
			h > 0 && g > 0 ? l = Math.max(h, g) : h < 0 && g < 0 && (l = Math.min(h, g)), eT();
			for (let n of this.viewports) {
				let i = n.from == this.viewport.from ? t : e.docView.measureVisibleLineHeights(n);
				this.heightMap = (a ? oT.empty().applyChanges(this.stateDeco, Wv.empty, this.heightOracle, [new QS(0, 0, 0, e.state.doc.length)]) : this.heightMap).updateHeight(r, 0, a, new nT(n.from, i));
			}
			$w && (c |= 2);
		}
		let y = !this.viewportIsAppropriate(this.viewport, l) || this.scrollTarget && (this.scrollTarget.range.head < this.viewport.from || this.scrollTarget.range.head > this.viewport.to);
		return y && (c & 2 && (c |= this.updateScaler()), this.viewport = this.getViewport(l, this.scrollTarget), c |= this.updateForViewport()), (c & 2 || y) && this.updateViewportLines(), (this.lineGaps.length || this.viewport.to - this.viewport.from > 4e3) && this.updateLineGaps(this.ensureLineGaps(a ? [] : this.lineGaps, e)), c |= this.computeVisibleRanges(), this.mustEnforceCursorAssoc && (this.mustEnforceCursorAssoc = !1, e.docView.enforceCursorAssoc()), c;
	}
	get visibleTop() {
		return this.scaler.fromDOM(this.pixelViewport.top);
	}
	get visibleBottom() {
		return this.scaler.fromDOM(this.pixelViewport.bottom);
	}
	getViewport(e, t) {
		let n = .5 - Math.max(-.5, Math.min(.5, e / 1e3 / 2)), r = this.heightMap, i = this.heightOracle, { visibleTop: a, visibleBottom: o } = this, s = new wT(r.lineAt(a - n * 1e3, iT.ByHeight, i, 0, 0).from, r.lineAt(o + (1 - n) * 1e3, iT.ByHeight, i, 0, 0).to);
		if (t) {
			let { head: e } = t.range;
			if (e < s.from || e > s.to) {
				let n = Math.min(this.editorHeight, this.pixelViewport.bottom - this.pixelViewport.top), a = r.lineAt(e, iT.ByPos, i, 0, 0), o;
				o = t.y == "center" ? (a.top + a.bottom) / 2 - n / 2 : t.y == "start" || t.y == "nearest" && e < s.from ? a.top : a.bottom - n, s = new wT(r.lineAt(o - 500, iT.ByHeight, i, 0, 0).from, r.lineAt(o + n + 500, iT.ByHeight, i, 0, 0).to);
			}
		}
		return s;
	}
	mapViewport(e, t) {
		let n = t.mapPos(e.from, -1), r = t.mapPos(e.to, 1);
		return new wT(this.heightMap.lineAt(n, iT.ByPos, this.heightOracle, 0, 0).from, this.heightMap.lineAt(r, iT.ByPos, this.heightOracle, 0, 0).to);
	}
	viewportIsAppropriate({ from: e, to: t }, n = 0) {
		if (!this.inView) return !0;
		let { top: r } = this.heightMap.lineAt(e, iT.ByPos, this.heightOracle, 0, 0), { bottom: i } = this.heightMap.lineAt(t, iT.ByPos, this.heightOracle, 0, 0), { visibleTop: a, visibleBottom: o } = this;
		return (e == 0 || r <= a - Math.max(10, Math.min(-n, 250))) && (t == this.state.doc.length || i >= o + Math.max(10, Math.min(n, 250))) && r > a - 2e3 && i < o + 2e3;
	}
	mapLineGaps(e, t) {
		if (!e.length || t.empty) return e;
		let n = [];
		for (let r of e) t.touchesRange(r.from, r.to) || n.push(new xT(t.mapPos(r.from), t.mapPos(r.to), r.size, r.displaySize));
		return n;
	}
	ensureLineGaps(e, t) {
		let n = this.heightOracle.lineWrapping, r = n ? 1e4 : 2e3, i = r >> 1, a = r << 1;
		if (this.defaultTextDirection != Xx.LTR && !n) return [];
		let o = [], s = (r, a, c, l) => {
			if (a - r < i) return;
			let u = this.state.selection.main, d = [u.from];
			u.empty || d.push(u.to);
			for (let e of d) if (e > r && e < a) {
				s(r, e - 10, c, l), s(e + 10, a, c, l);
				return;
			}
			let f = OT(e, (e) => e.from >= c.from && e.to <= c.to && Math.abs(e.from - r) < i && Math.abs(e.to - a) < i && !d.some((t) => e.from < t && e.to > t));
			if (!f) {
				if (a < c.to && t && n && t.visibleRanges.some((e) => e.from <= a && e.to >= a)) {
					let e = t.moveToLineBoundary(J.cursor(a), !1, !0).head;
					e > r && (a = e);
				}
				let e = this.gapSize(c, r, a, l);
				f = new xT(r, a, e, n || e < 2e6 ? e : 2e6);
			}
			o.push(f);
		}, c = (t) => {
			if (t.length < a || t.type != dx.Text) return;
			let i = TT(t.from, t.to, this.stateDeco);
			if (i.total < a) return;
			let o = this.scrollTarget ? this.scrollTarget.range.head : null, c, l;
			if (n) {
				let e = r / this.heightOracle.lineLength * this.heightOracle.lineHeight, n, a;
				if (o != null) {
					let r = DT(i, o), s = ((this.visibleBottom - this.visibleTop) / 2 + e) / t.height;
					n = r - s, a = r + s;
				} else n = (this.visibleTop - t.top - e) / t.height, a = (this.visibleBottom - t.top + e) / t.height;
				c = ET(i, n), l = ET(i, a);
			} else {
				let n = i.total * this.heightOracle.charWidth, a = r * this.heightOracle.charWidth, s = 0;
				if (n > 2e6) for (let n of e) n.from >= t.from && n.from < t.to && n.size != n.displaySize && n.from * this.heightOracle.charWidth + s < this.pixelViewport.left && (s = n.size - n.displaySize);
				let u = this.pixelViewport.left + s, d = this.pixelViewport.right + s, f, p;
				if (o != null) {
					let e = DT(i, o), t = ((d - u) / 2 + a) / n;
					f = e - t, p = e + t;
				} else f = (u - a) / n, p = (d + a) / n;
				c = ET(i, f), l = ET(i, p);
			}
			c > t.from && s(t.from, c, t, i), l < t.to && s(l, t.to, t, i);
		};
		for (let e of this.viewportLines) Array.isArray(e.type) ? e.type.forEach(c) : c(e);
		return o;
	}
	gapSize(e, t, n, r) {
		let i = DT(r, n) - DT(r, t);
		return this.heightOracle.lineWrapping ? e.height * i : r.total * this.heightOracle.charWidth * i;
	}
	updateLineGaps(e) {
		xT.same(e, this.lineGaps) || (this.lineGaps = e, this.lineGapDeco = fx.set(e.map((e) => e.draw(this, this.heightOracle.lineWrapping))));
	}
	computeVisibleRanges(e) {
		let t = this.stateDeco;
		this.lineGaps.length && (t = t.concat(this.lineGapDeco));
		let n = [];
		hb.spans(t, this.viewport.from, this.viewport.to, {
			span(e, t) {
				n.push({
					from: e,
					to: t
				});
			},
			point() {}
		}, 20);
		let r = 0;
		if (n.length != this.visibleRanges.length) r = 12;
		else for (let t = 0; t < n.length && !(r & 8); t++) {
			let i = this.visibleRanges[t], a = n[t];
			(i.from != a.from || i.to != a.to) && (r |= 4, e && e.mapPos(i.from, -1) == a.from && e.mapPos(i.to, 1) == a.to || (r |= 8));
		}
		return this.visibleRanges = n, r;
	}
	lineBlockAt(e) {
		return e >= this.viewport.from && e <= this.viewport.to && this.viewportLines.find((t) => t.from <= e && t.to >= e) || MT(this.heightMap.lineAt(e, iT.ByPos, this.heightOracle, 0, 0), this.scaler);
	}
	lineBlockAtHeight(e) {
		return e >= this.viewportLines[0].top && e <= this.viewportLines[this.viewportLines.length - 1].bottom && this.viewportLines.find((t) => t.top <= e && t.bottom >= e) || MT(this.heightMap.lineAt(this.scaler.fromDOM(e), iT.ByHeight, this.heightOracle, 0, 0), this.scaler);
	}
	getScrollOffset() {
		return this.scrollParent == this.view.scrollDOM ? this.scrollParent.scrollTop * this.scaleY : (this.scrollParent ? this.scrollParent.getBoundingClientRect().top : 0) - this.view.contentDOM.getBoundingClientRect().top;
	}
	scrollAnchorAt(e) {
		let t = this.lineBlockAtHeight(e + 12 - this.paddingTop);
		return t.from >= this.viewport.from || this.viewportLines[0].top - e > 200 ? t : this.viewportLines[0];
	}
	elementAtHeight(e) {
		return MT(this.heightMap.blockAt(this.scaler.fromDOM(e), this.heightOracle, 0, 0), this.scaler);
	}
	get docHeight() {
		return this.scaler.toDOM(this.heightMap.height);
	}
	get contentHeight() {
		return this.docHeight + this.paddingTop + this.paddingBottom;
	}
}, wT = class {
	constructor(e, t) {
		this.from = e, this.to = t;
	}
};
function TT(e, t, n) {
	let r = [], i = e, a = 0;
	return hb.spans(n, e, t, {
		span() {},
		point(e, t) {
			e > i && (r.push({
				from: i,
				to: e
			}), a += e - i), i = t;
		}
	}, 20), i < t && (r.push({
		from: i,
		to: t
	}), a += t - i), {
		total: a,
		ranges: r
	};
}
function ET({ total: e, ranges: t }, n) {
	if (n <= 0) return t[0].from;
	if (n >= 1) return t[t.length - 1].to;
	let r = Math.floor(e * n);
	for (let e = 0;; e++) {
		let { from: n, to: i } = t[e], a = i - n;
		if (r <= a) return n + r;
		r -= a;
	}
}
function DT(e, t) {
	let n = 0;
	for (let { from: r, to: i } of e.ranges) {
		if (t <= i) {
			n += t - r;
			break;
		}
		n += i - r;
	}
	return n / e.total;
}
function OT(e, t) {
	for (let n of e) if (t(n)) return n;
}
var kT = {
	toDOM(e) {
		return e;
	},
	fromDOM(e) {
		return e;
	},
	scale: 1,
	eq(e) {
		return e == this;
	}
};
function AT(e) {
	let t = e.facet(HS).filter((e) => typeof e != "function"), n = e.facet(WS).filter((e) => typeof e != "function");
	return n.length && t.push(hb.join(n)), t;
}
var jT = class e {
	constructor(e, t) {
		this.scale = e, this.viewports = t;
	}
	static get(t, n, r) {
		let i = 0, a = 0, o = 0, s = r.map(({ from: e, to: r }) => {
			let a = n.lineAt(e, iT.ByPos, t, 0, 0).top, o = n.lineAt(r, iT.ByPos, t, 0, 0).bottom;
			return i += o - a, {
				from: e,
				to: r,
				top: a,
				bottom: o,
				domTop: 0,
				domBottom: 0
			};
		});
		if (n.height - i < 10) return kT;
		let c = (7e6 - i) / (n.height - i);
		for (let e of s) e.domTop = o + (e.top - a) * c, o = e.domBottom = e.domTop + (e.bottom - e.top), a = e.bottom;
		return new e(c, s);
	}
	toDOM(e) {
		for (let t = 0, n = 0, r = 0;; t++) {
			let i = t < this.viewports.length ? this.viewports[t] : null;
			if (!i || e < i.top) return r + (e - n) * this.scale;
			if (e <= i.bottom) return i.domTop + (e - i.top);
			n = i.bottom, r = i.domBottom;
		}
	}
	fromDOM(e) {
		for (let t = 0, n = 0, r = 0;; t++) {
			let i = t < this.viewports.length ? this.viewports[t] : null;
			if (!i || e < i.domTop) return n + (e - r) / this.scale;
			if (e <= i.domBottom) return i.top + (e - i.domTop);
			n = i.bottom, r = i.domBottom;
		}
	}
	eq(t) {
		return t instanceof e && this.scale == t.scale && this.viewports.length == t.viewports.length && this.viewports.every((e, n) => e.from == t.viewports[n].from && e.to == t.viewports[n].to);
	}
};
function MT(e, t) {
	if (t.scale == 1) return e;
	let n = t.toDOM(e.top), r = t.toDOM(e.bottom);
	return new rT(e.from, e.length, n, r - n, Array.isArray(e._content) ? e._content.map((e) => MT(e, t)) : e._content);
}
var NT = /*@__PURE__*/ Y.define({ combine: (e) => e.join(" ") }), PT = /*@__PURE__*/ Y.define({ combine: (e) => e.indexOf(!0) > -1 }), FT = /*@__PURE__*/ Fb.newName(), IT = /*@__PURE__*/ Fb.newName(), LT = /*@__PURE__*/ Fb.newName(), RT = {
	"&light": "." + IT,
	"&dark": "." + LT
};
function zT(e, t, n) {
	return new Fb(t, { finish(t) {
		return /&/.test(t) ? t.replace(/&\w*/, (t) => {
			if (t == "&") return e;
			if (!n || !n[t]) throw RangeError(`Unsupported selector: ${t}`);
			return n[t];
		}) : e + " " + t;
	} });
}
var BT = /*@__PURE__*/ zT("." + FT, {
	"&": {
		position: "relative !important",
		boxSizing: "border-box",
		"&.cm-focused": { outline: "1px dotted #212121" },
		display: "flex !important",
		flexDirection: "column"
	},
	".cm-scroller": {
		display: "flex !important",
		alignItems: "flex-start !important",
		fontFamily: "monospace",
		lineHeight: 1.4,
		height: "100%",
		overflowX: "auto",
		position: "relative",
		zIndex: 0,
		overflowAnchor: "none"
	},
	".cm-content": {
		margin: 0,
		flexGrow: 2,
		flexShrink: 0,
		display: "block",
		whiteSpace: "pre",
		wordWrap: "normal",
		boxSizing: "border-box",
		minHeight: "100%",
		padding: "4px 0",
		outline: "none",
		"&[contenteditable=true]": { WebkitUserModify: "read-write-plaintext-only" }
	},
	".cm-lineWrapping": {
		whiteSpace_fallback: "pre-wrap",
		whiteSpace: "break-spaces",
		wordBreak: "break-word",
		overflowWrap: "anywhere",
		flexShrink: 1
	},
	"&light .cm-content": { caretColor: "black" },
	"&dark .cm-content": { caretColor: "white" },
	".cm-line": {
		display: "block",
		padding: "0 2px 0 6px"
	},
	".cm-layer": {
		userSelect: "none",
		position: "absolute",
		left: 0,
		top: 0,
		contain: "size style",
		"& > *": { position: "absolute" }
	},
	"&light .cm-selectionBackground": { background: "#d9d9d9" },
	"&dark .cm-selectionBackground": { background: "#222" },
	"&light.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "#d7d4f0" },
	"&dark.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: "#233" },
	".cm-cursorLayer": { pointerEvents: "none" },
	"&.cm-focused > .cm-scroller > .cm-cursorLayer": { animation: "steps(1) cm-blink 1.2s infinite" },
	"@keyframes cm-blink": {
		"0%": {},
		"50%": { opacity: 0 },
		"100%": {}
	},
	"@keyframes cm-blink2": {
		"0%": {},
		"50%": { opacity: 0 },
		"100%": {}
	},
	".cm-cursor, .cm-dropCursor": {
		borderLeft: "1.2px solid black",
		marginLeft: "-0.6px",
		pointerEvents: "none"
	},
	".cm-cursor": { display: "none" },
	"&dark .cm-cursor": { borderLeftColor: "#ddd" },
	".cm-selectionHandle": {
		backgroundColor: "currentColor",
		width: "1.5px"
	},
	".cm-selectionHandle-start::before, .cm-selectionHandle-end::before": {
		content: "\"\"",
		backgroundColor: "inherit",
		borderRadius: "50%",
		width: "8px",
		height: "8px",
		position: "absolute",
		left: "-3.25px"
	},
	".cm-selectionHandle-start::before": { top: "-8px" },
	".cm-selectionHandle-end::before": { bottom: "-8px" },
	".cm-dropCursor": { position: "absolute" },
	"&.cm-focused > .cm-scroller > .cm-cursorLayer .cm-cursor": { display: "block" },
	".cm-iso": { unicodeBidi: "isolate" },
	".cm-announced": {
		position: "fixed",
		top: "-10000px"
	},
	"@media print": { ".cm-announced": { display: "none" } },
	"&light .cm-activeLine": { backgroundColor: "#cceeff44" },
	"&dark .cm-activeLine": { backgroundColor: "#99eeff33" },
	"&light .cm-specialChar": { color: "red" },
	"&dark .cm-specialChar": { color: "#f78" },
	".cm-gutters": {
		flexShrink: 0,
		display: "flex",
		height: "100%",
		boxSizing: "border-box",
		zIndex: 200
	},
	".cm-gutters-before": { insetInlineStart: 0 },
	".cm-gutters-after": { insetInlineEnd: 0 },
	"&light .cm-gutters": {
		backgroundColor: "#f5f5f5",
		color: "#6c6c6c",
		border: "0px solid #ddd",
		"&.cm-gutters-before": { borderRightWidth: "1px" },
		"&.cm-gutters-after": { borderLeftWidth: "1px" }
	},
	"&dark .cm-gutters": {
		backgroundColor: "#333338",
		color: "#ccc"
	},
	".cm-gutter": {
		display: "flex !important",
		flexDirection: "column",
		flexShrink: 0,
		boxSizing: "border-box",
		minHeight: "100%",
		overflow: "hidden"
	},
	".cm-gutterElement": { boxSizing: "border-box" },
	".cm-lineNumbers .cm-gutterElement": {
		padding: "0 3px 0 5px",
		minWidth: "20px",
		textAlign: "right",
		whiteSpace: "nowrap"
	},
	"&light .cm-activeLineGutter": { backgroundColor: "#e2f2ff" },
	"&dark .cm-activeLineGutter": { backgroundColor: "#222227" },
	".cm-panels": {
		boxSizing: "border-box",
		position: "sticky",
		left: 0,
		right: 0,
		zIndex: 300
	},
	"&light .cm-panels": {
		backgroundColor: "#f5f5f5",
		color: "black"
	},
	".cm-panels-top": { top: "0" },
	".cm-panels-bottom": { bottom: "0" },
	"&light .cm-panels-top": { borderBottom: "1px solid #ddd" },
	"&light .cm-panels-bottom": { borderTop: "1px solid #ddd" },
	"&dark .cm-panels": {
		backgroundColor: "#333338",
		color: "white"
	},
	".cm-dialog": {
		padding: "2px 19px 4px 6px",
		position: "relative",
		"& label": { fontSize: "80%" }
	},
	".cm-dialog-close": {
		position: "absolute",
		top: "3px",
		right: "4px",
		backgroundColor: "inherit",
		border: "none",
		font: "inherit",
		fontSize: "14px",
		padding: "0"
	},
	".cm-tab": {
		display: "inline-block",
		overflow: "hidden",
		verticalAlign: "bottom"
	},
	".cm-widgetBuffer": {
		verticalAlign: "baseline",
		height: "1em",
		width: 0,
		display: "inline"
	},
	".cm-placeholder": {
		color: "#888",
		display: "inline-block",
		verticalAlign: "top",
		userSelect: "none"
	},
	".cm-highlightSpace": {
		background: "radial-gradient(circle at 50% 55%, #aaa 20%, transparent 0) no-repeat",
		backgroundSize: ".4em",
		backgroundPosition: "calc(min(50%, 0px)) center"
	},
	".cm-highlightTab": {
		backgroundImage: "url('data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"200\" height=\"20\"><path stroke=\"%23888\" stroke-width=\"1\" fill=\"none\" d=\"M1 10H196L190 5M190 15L196 10M197 4L197 16\"/></svg>')",
		backgroundSize: "auto 100%",
		backgroundPosition: "right 90%",
		backgroundRepeat: "no-repeat"
	},
	".cm-trailingSpace": { backgroundColor: "#ff332255" },
	".cm-button": {
		verticalAlign: "middle",
		color: "inherit",
		fontSize: "70%",
		padding: ".2em 1em",
		borderRadius: "1px"
	},
	"&light .cm-button": {
		backgroundImage: "linear-gradient(#eff1f5, #d9d9df)",
		border: "1px solid #888",
		"&:active": { backgroundImage: "linear-gradient(#b4b4b4, #d0d3d6)" }
	},
	"&dark .cm-button": {
		backgroundImage: "linear-gradient(#393939, #111)",
		border: "1px solid #888",
		"&:active": { backgroundImage: "linear-gradient(#111, #333)" }
	},
	".cm-textfield": {
		verticalAlign: "middle",
		color: "inherit",
		fontSize: "70%",
		border: "1px solid silver",
		padding: ".2em .5em"
	},
	"&light .cm-textfield": { backgroundColor: "white" },
	"&dark .cm-textfield": {
		border: "1px solid #555",
		backgroundColor: "inherit"
	}
}, RT), VT = {
	childList: !0,
	characterData: !0,
	subtree: !0,
	attributes: !0,
	characterDataOldValue: !0
}, HT = X.ie && X.ie_version <= 11, UT = class {
	constructor(e) {
		this.view = e, this.active = !1, this.editContext = null, this.selectionRange = new Ix(), this.selectionChanged = !1, this.delayedFlush = -1, this.resizeTimeout = -1, this.queue = [], this.delayedAndroidKey = null, this.flushingAndroidKey = -1, this.lastChange = 0, this.scrollTargets = [], this.intersection = null, this.resizeScroll = null, this.intersecting = !1, this.gapIntersection = null, this.gaps = [], this.printQuery = null, this.parentCheck = -1, this.dom = e.contentDOM, this.observer = new MutationObserver((t) => {
			for (let e of t) this.queue.push(e);
			(X.ie && X.ie_version <= 11 || X.ios && e.composing) && t.some((e) => e.type == "childList" && e.removedNodes.length || e.type == "characterData" && e.oldValue.length > e.target.nodeValue.length) ? this.flushSoon() : this.flush();
		}), window.EditContext && X.android && e.constructor.EDIT_CONTEXT !== !1 && !(X.chrome && X.chrome_version < 126) && (this.editContext = new qT(e), e.state.facet(FS) && (e.contentDOM.editContext = this.editContext.editContext)), HT && (this.onCharData = (e) => {
			this.queue.push({
				target: e.target,
				type: "characterData",
				oldValue: e.prevValue
			}), this.flushSoon();
		}), this.onSelectionChange = this.onSelectionChange.bind(this), this.onResize = this.onResize.bind(this), this.onPrint = this.onPrint.bind(this), this.onScroll = this.onScroll.bind(this), window.matchMedia && (this.printQuery = window.matchMedia("print")), typeof ResizeObserver == "function" && (this.resizeScroll = new ResizeObserver(() => {
			this.view.docView?.lastUpdate < Date.now() - 75 && this.onResize();
		}), this.resizeScroll.observe(e.scrollDOM)), this.addWindowListeners(this.win = e.win), this.start(), typeof IntersectionObserver == "function" && (this.intersection = new IntersectionObserver((e) => {
			this.parentCheck < 0 && (this.parentCheck = setTimeout(this.listenForScroll.bind(this), 1e3)), e.length > 0 && e[e.length - 1].intersectionRatio > 0 != this.intersecting && (this.intersecting = !this.intersecting, this.intersecting != this.view.inView && this.onScrollChanged(document.createEvent("Event")));
		}, { threshold: [0, .001] }), this.intersection.observe(this.dom), this.gapIntersection = new IntersectionObserver((e) => {
			e.length > 0 && e[e.length - 1].intersectionRatio > 0 && this.onScrollChanged(document.createEvent("Event"));
		}, {})), this.listenForScroll(), this.readSelectionRange();
	}
	onScrollChanged(e) {
		this.view.inputState.runHandlers("scroll", e), this.intersecting && this.view.measure();
	}
	onScroll(e) {
		this.intersecting && this.flush(this.pendingRecords().length > 0), this.editContext && this.view.requestMeasure(this.editContext.measureReq), this.onScrollChanged(e);
	}
	onResize() {
		this.resizeTimeout < 0 && (this.resizeTimeout = setTimeout(() => {
			this.resizeTimeout = -1, this.view.requestMeasure();
		}, 50));
	}
	onPrint(e) {
		(e.type != "change" && e.type || e.matches) && (this.view.viewState.printing = !0, this.view.measure(), setTimeout(() => {
			this.view.viewState.printing = !1, this.view.requestMeasure();
		}, 500));
	}
	updateGaps(e) {
		if (this.gapIntersection && (e.length != this.gaps.length || this.gaps.some((t, n) => t != e[n]))) {
			this.gapIntersection.disconnect();
			for (let t of e) this.gapIntersection.observe(t);
			this.gaps = e;
		}
	}
	onSelectionChange(e) {
		let t = this.selectionChanged;
		if (!this.readSelectionRange() || this.delayedAndroidKey) return;
		let { view: n } = this, r = this.selectionRange;
		if (n.state.facet(FS) ? n.root.activeElement != this.dom : !wx(this.dom, r)) return;
		let i = r.anchorNode && n.docView.tile.nearest(r.anchorNode);
		i && i.isWidget() && i.widget.ignoreEvent(e) ? t || (this.selectionChanged = !1) : (X.ie && X.ie_version <= 11 || X.android && X.chrome) && !n.state.selection.main.empty && r.focusNode && Ex(r.focusNode, r.focusOffset, r.anchorNode, r.anchorOffset) ? this.flushSoon() : this.flush(!1);
	}
	readSelectionRange() {
		let { view: e } = this, t = Sx(e.root);
		if (!t) return !1;
		let n = X.safari && e.root.nodeType == 11 && e.root.activeElement == this.dom && KT(this.view, t) || t;
		if (!n || this.selectionRange.eq(n)) return !1;
		let r = wx(this.dom, n);
		return r && !this.selectionChanged && e.inputState.lastFocusTime > Date.now() - 200 && e.inputState.lastTouchTime < Date.now() - 300 && Gx(this.dom, n) ? (this.view.inputState.lastFocusTime = 0, e.docView.updateSelection(), !1) : (this.selectionRange.setRange(n), r && (this.selectionChanged = !0), !0);
	}
	setSelectionRange(e, t) {
		this.selectionRange.set(e.node, e.offset, t.node, t.offset), this.selectionChanged = !1;
	}
	clearSelectionRange() {
		this.selectionRange.set(null, 0, null, 0);
	}
	listenForScroll() {
		this.parentCheck = -1;
		let e = 0, t = null;
		for (let n = this.dom; n;) if (bx(n)) !t && e < this.scrollTargets.length && this.scrollTargets[e] == n ? e++ : t ||= this.scrollTargets.slice(0, e), t && t.push(n), n = n.assignedSlot || n.parentNode;
		else if (n.nodeType == 11) n = n.host;
		else break;
		if (e < this.scrollTargets.length && !t && (t = this.scrollTargets.slice(0, e)), t) {
			for (let e of this.scrollTargets) e.removeEventListener("scroll", this.onScroll);
			for (let e of this.scrollTargets = t) e.addEventListener("scroll", this.onScroll);
		}
	}
	ignore(e) {
		if (!this.active) return e();
		try {
			return this.stop(), e();
		} finally {
			this.start(), this.clear();
		}
	}
	start() {
		this.active ||= (this.observer.observe(this.dom, VT), HT && this.dom.addEventListener("DOMCharacterDataModified", this.onCharData), !0);
	}
	stop() {
		this.active && (this.active = !1, this.observer.disconnect(), HT && this.dom.removeEventListener("DOMCharacterDataModified", this.onCharData));
	}
	clear() {
		this.processRecords(), this.queue.length = 0, this.selectionChanged = !1;
	}
	delayAndroidKey(e, t) {
		if (!this.delayedAndroidKey) {
			let e = () => {
				let e = this.delayedAndroidKey;
				e && (this.clearDelayedAndroidKey(), this.view.inputState.lastKeyCode = e.keyCode, this.view.inputState.lastKeyTime = Date.now(), !this.flush() && e.force && Ux(this.dom, e.key, e.keyCode));
			};
			this.flushingAndroidKey = this.view.win.requestAnimationFrame(e);
		}
		this.delayedAndroidKey && e != "Enter" || (this.delayedAndroidKey = {
			key: e,
			keyCode: t,
			force: this.lastChange < Date.now() - 50 || !!this.delayedAndroidKey?.force
		});
	}
	clearDelayedAndroidKey() {
		this.win.cancelAnimationFrame(this.flushingAndroidKey), this.delayedAndroidKey = null, this.flushingAndroidKey = -1;
	}
	flushSoon() {
		this.delayedFlush < 0 && (this.delayedFlush = this.view.win.requestAnimationFrame(() => {
			this.delayedFlush = -1, this.flush();
		}));
	}
	forceFlush() {
		this.delayedFlush >= 0 && (this.view.win.cancelAnimationFrame(this.delayedFlush), this.delayedFlush = -1), this.flush();
	}
	pendingRecords() {
		for (let e of this.observer.takeRecords()) this.queue.push(e);
		return this.queue;
	}
	processRecords() {
		let e = this.pendingRecords();
		e.length && (this.queue = []);
		let t = -1, n = -1, r = !1;
		for (let i of e) {
			let e = this.readMutation(i);
			e && (e.typeOver && (r = !0), t == -1 ? {from: t, to: n} = e : (t = Math.min(e.from, t), n = Math.max(e.to, n)));
		}
		return {
			from: t,
			to: n,
			typeOver: r
		};
	}
	readChange() {
		let { from: e, to: t, typeOver: n } = this.processRecords(), r = this.selectionChanged && wx(this.dom, this.selectionRange);
		if (e < 0 && !r) return null;
		e > -1 && (this.lastChange = Date.now()), this.view.inputState.lastFocusTime = 0, this.selectionChanged = !1;
		let i = new aw(this.view, e, t, n);
		return this.view.docView.domChanged = { newSel: i.newSel ? i.newSel.main : null }, i;
	}
	flush(e = !0) {
		if (this.delayedFlush >= 0 || this.delayedAndroidKey) return !1;
		e && this.readSelectionRange();
		let t = this.selectionChanged, n = this.readChange();
		if (!n) return this.view.requestMeasure(), !1;
		let r = this.view.state, i = sw(this.view, n);
		return this.view.state == r && (n.domChanged || t) && this.view.update([]), i;
	}
	readMutation(e) {
		let t = this.view.docView.tile.nearest(e.target);
		if (!t || t.isWidget()) return null;
		if (t.markDirty(e.type == "attributes"), e.type == "childList") {
			let n = WT(t, e.previousSibling || e.target.previousSibling, -1), r = WT(t, e.nextSibling || e.target.nextSibling, 1);
			return {
				from: n ? t.posAfter(n) : t.posAtStart,
				to: r ? t.posBefore(r) : t.posAtEnd,
				typeOver: !1
			};
		}
		return e.type == "characterData" ? {
			from: t.posAtStart,
			to: t.posAtEnd,
			typeOver: e.target.nodeValue == e.oldValue
		} : null;
	}
	setWindow(e) {
		e != this.win && (this.removeWindowListeners(this.win), this.win = e, this.addWindowListeners(this.win));
	}
	addWindowListeners(e) {
		e.addEventListener("resize", this.onResize), this.printQuery ? this.printQuery.addEventListener ? this.printQuery.addEventListener("change", this.onPrint) : this.printQuery.addListener(this.onPrint) : e.addEventListener("beforeprint", this.onPrint), e.addEventListener("scroll", this.onScroll), e.document.addEventListener("selectionchange", this.onSelectionChange);
	}
	removeWindowListeners(e) {
		e.removeEventListener("scroll", this.onScroll), e.removeEventListener("resize", this.onResize), this.printQuery ? this.printQuery.removeEventListener ? this.printQuery.removeEventListener("change", this.onPrint) : this.printQuery.removeListener(this.onPrint) : e.removeEventListener("beforeprint", this.onPrint), e.document.removeEventListener("selectionchange", this.onSelectionChange);
	}
	update(e) {
		this.editContext && (this.editContext.update(e), e.startState.facet(FS) != e.state.facet(FS) && (e.view.contentDOM.editContext = e.state.facet(FS) ? this.editContext.editContext : null));
	}
	destroy() {
		var e, t, n;
		this.stop(), (e = this.intersection) == null || e.disconnect(), (t = this.gapIntersection) == null || t.disconnect(), (n = this.resizeScroll) == null || n.disconnect();
		for (let e of this.scrollTargets) e.removeEventListener("scroll", this.onScroll);
		this.removeWindowListeners(this.win), clearTimeout(this.parentCheck), clearTimeout(this.resizeTimeout), this.win.cancelAnimationFrame(this.delayedFlush), this.win.cancelAnimationFrame(this.flushingAndroidKey), this.editContext && (this.view.contentDOM.editContext = null, this.editContext.destroy());
	}
};
function WT(e, t, n) {
	for (; t;) {
		let r = tC.get(t);
		if (r && r.parent == e) return r;
		let i = t.parentNode;
		t = i == e.dom ? n > 0 ? t.nextSibling : t.previousSibling : i;
	}
	return null;
}
function GT(e, t) {
	let n = t.startContainer, r = t.startOffset, i = t.endContainer, a = t.endOffset, o = e.docView.domAtPos(e.state.selection.main.anchor, 1);
	return Ex(o.node, o.offset, i, a) && ([n, r, i, a] = [
		i,
		a,
		n,
		r
	]), {
		anchorNode: n,
		anchorOffset: r,
		focusNode: i,
		focusOffset: a
	};
}
function KT(e, t) {
	if (t.getComposedRanges) {
		let n = t.getComposedRanges(e.root)[0];
		if (n) return GT(e, n);
	}
	let n = null;
	function r(e) {
		e.preventDefault(), e.stopImmediatePropagation(), n = e.getTargetRanges()[0];
	}
	return e.contentDOM.addEventListener("beforeinput", r, !0), e.dom.ownerDocument.execCommand("indent"), e.contentDOM.removeEventListener("beforeinput", r, !0), n ? GT(e, n) : null;
}
var qT = class {
	constructor(e) {
		this.from = 0, this.to = 0, this.pendingContextChange = null, this.handlers = Object.create(null), this.composing = null, this.resetRange(e.state);
		let t = this.editContext = new window.EditContext({
			text: e.state.doc.sliceString(this.from, this.to),
			selectionStart: this.toContextPos(Math.max(this.from, Math.min(this.to, e.state.selection.main.anchor))),
			selectionEnd: this.toContextPos(e.state.selection.main.head)
		});
		this.handlers.textupdate = (n) => {
			let r = e.state.selection.main, { anchor: i, head: a } = r, o = this.toEditorPos(n.updateRangeStart), s = this.toEditorPos(n.updateRangeEnd);
			e.inputState.composing >= 0 && !this.composing && (this.composing = {
				contextBase: n.updateRangeStart,
				editorBase: o,
				drifted: !1
			});
			let c = s - o > n.text.length;
			o == this.from && i < this.from ? o = i : s == this.to && i > this.to && (s = i);
			let l = uw(e.state.sliceDoc(o, s), n.text, (c ? r.from : r.to) - o, c ? "end" : null);
			if (!l) {
				let t = J.single(this.toEditorPos(n.selectionStart), this.toEditorPos(n.selectionEnd));
				pw(t, r) || e.dispatch({
					selection: t,
					userEvent: "select"
				});
				return;
			}
			let u = {
				from: l.from + o,
				to: l.toA + o,
				insert: Wv.of(n.text.slice(l.from, l.toB).split("\n"))
			};
			if ((X.mac || X.android) && u.from == a - 1 && /^\. ?$/.test(n.text) && e.contentDOM.getAttribute("autocorrect") == "off" && (u = {
				from: o,
				to: s,
				insert: Wv.of([n.text.replace(".", " ")])
			}), this.pendingContextChange = u, !e.state.readOnly) {
				let t = this.to - this.from + (u.to - u.from + u.insert.length);
				cw(e, u, J.single(this.toEditorPos(n.selectionStart, t), this.toEditorPos(n.selectionEnd, t)));
			}
			this.pendingContextChange && (this.revertPending(e.state), this.setSelection(e.state)), u.from < u.to && !u.insert.length && e.inputState.composing >= 0 && !/[\\p{Alphabetic}\\p{Number}_]/.test(t.text.slice(Math.max(0, n.updateRangeStart - 1), Math.min(t.text.length, n.updateRangeStart + 1))) && this.handlers.compositionend(n);
		}, this.handlers.characterboundsupdate = (n) => {
			let r = [], i = null;
			for (let t = this.toEditorPos(n.rangeStart), a = this.toEditorPos(n.rangeEnd); t < a; t++) {
				let n = e.coordsForChar(t);
				i = n && new DOMRect(n.left, n.top, n.right - n.left, n.bottom - n.top) || i || new DOMRect(), r.push(i);
			}
			t.updateCharacterBounds(n.rangeStart, r);
		}, this.handlers.textformatupdate = (t) => {
			let n = [];
			for (let e of t.getTextFormats()) {
				let t = e.underlineStyle, r = e.underlineThickness;
				if (!/none/i.test(t) && !/none/i.test(r)) {
					let i = this.toEditorPos(e.rangeStart), a = this.toEditorPos(e.rangeEnd);
					if (i < a) {
						let e = `text-decoration: underline ${/^[a-z]/.test(t) ? t + " " : t == "Dashed" ? "dashed " : t == "Squiggle" ? "wavy " : ""}${/thin/i.test(r) ? 1 : 2}px`;
						n.push(fx.mark({ attributes: { style: e } }).range(i, a));
					}
				}
			}
			e.dispatch({ effects: NS.of(fx.set(n)) });
		}, this.handlers.compositionstart = () => {
			e.inputState.composing < 0 && (e.inputState.composing = 0, e.inputState.compositionFirstChange = !0);
		}, this.handlers.compositionend = () => {
			if (e.inputState.composing = -1, e.inputState.compositionFirstChange = null, this.composing) {
				let { drifted: t } = this.composing;
				this.composing = null, t && this.reset(e.state);
			}
		};
		for (let e in this.handlers) t.addEventListener(e, this.handlers[e]);
		this.measureReq = { read: (e) => {
			let t = Sx(e.root);
			t && t.rangeCount && this.editContext.updateSelectionBounds(t.getRangeAt(0).getBoundingClientRect());
		} };
	}
	applyEdits(e) {
		let t = 0, n = !1, r = this.pendingContextChange;
		return e.changes.iterChanges((i, a, o, s, c) => {
			if (n) return;
			let l = c.length - (a - i);
			if (r && a >= r.to) {
				if (r.from == i && r.to == a && r.insert.eq(c)) {
					r = this.pendingContextChange = null, t += l, this.to += l;
					return;
				}
				r = null, this.revertPending(e.state);
			}
			if (i += t, a += t, a <= this.from) this.from += l, this.to += l;
			else if (i < this.to) {
				if (i < this.from || a > this.to || this.to - this.from + c.length > 3e4) {
					n = !0;
					return;
				}
				this.editContext.updateText(this.toContextPos(i), this.toContextPos(a), c.toString()), this.to += l;
			}
			t += l;
		}), r && !n && this.revertPending(e.state), !n;
	}
	update(e) {
		let t = this.pendingContextChange, n = e.startState.selection.main;
		this.composing && (this.composing.drifted || !e.changes.touchesRange(n.from, n.to) && e.transactions.some((e) => !e.isUserEvent("input.type") && e.changes.touchesRange(this.from, this.to))) ? (this.composing.drifted = !0, this.composing.editorBase = e.changes.mapPos(this.composing.editorBase)) : !this.applyEdits(e) || !this.rangeIsValid(e.state) ? (this.pendingContextChange = null, this.reset(e.state)) : (e.docChanged || e.selectionSet || t) && this.setSelection(e.state), (e.geometryChanged || e.docChanged || e.selectionSet) && e.view.requestMeasure(this.measureReq);
	}
	resetRange(e) {
		let { head: t } = e.selection.main;
		this.from = Math.max(0, t - 1e4), this.to = Math.min(e.doc.length, t + 1e4);
	}
	reset(e) {
		this.resetRange(e), this.editContext.updateText(0, this.editContext.text.length, e.doc.sliceString(this.from, this.to)), this.setSelection(e);
	}
	revertPending(e) {
		let t = this.pendingContextChange;
		this.pendingContextChange = null, this.editContext.updateText(this.toContextPos(t.from), this.toContextPos(t.from + t.insert.length), e.doc.sliceString(t.from, t.to));
	}
	setSelection(e) {
		let { main: t } = e.selection, n = this.toContextPos(Math.max(this.from, Math.min(this.to, t.anchor))), r = this.toContextPos(t.head);
		(this.editContext.selectionStart != n || this.editContext.selectionEnd != r) && this.editContext.updateSelection(n, r);
	}
	rangeIsValid(e) {
		let { head: t } = e.selection.main;
		return !(this.from > 0 && t - this.from < 500 || this.to < e.doc.length && this.to - t < 500 || this.to - this.from > 3e4);
	}
	toEditorPos(e, t = this.to - this.from) {
		e = Math.min(e, t);
		let n = this.composing;
		return n && n.drifted ? n.editorBase + (e - n.contextBase) : e + this.from;
	}
	toContextPos(e) {
		let t = this.composing;
		return t && t.drifted ? t.contextBase + (e - t.editorBase) : e - this.from;
	}
	destroy() {
		for (let e in this.handlers) this.editContext.removeEventListener(e, this.handlers[e]);
	}
}, Z = class e {
	get state() {
		return this.viewState.state;
	}
	get viewport() {
		return this.viewState.viewport;
	}
	get visibleRanges() {
		return this.viewState.visibleRanges;
	}
	get inView() {
		return this.viewState.inView;
	}
	get composing() {
		return !!this.inputState && this.inputState.composing > 0;
	}
	get compositionStarted() {
		return !!this.inputState && this.inputState.composing >= 0;
	}
	get root() {
		return this._root;
	}
	get win() {
		return this.dom.ownerDocument.defaultView || window;
	}
	constructor(e = {}) {
		this.plugins = [], this.pluginMap = /* @__PURE__ */ new Map(), this.editorAttrs = {}, this.contentAttrs = {}, this.bidiCache = [], this.destroyed = !1, this.updateState = 2, this.measureScheduled = -1, this.measureRequests = [], this.clearAnnouncement = -1, this.contentDOM = document.createElement("div"), this.scrollDOM = document.createElement("div"), this.scrollDOM.tabIndex = -1, this.scrollDOM.className = "cm-scroller", this.scrollDOM.appendChild(this.contentDOM), this.announceDOM = document.createElement("div"), this.announceDOM.className = "cm-announced", this.announceDOM.setAttribute("aria-live", "polite"), this.dom = document.createElement("div"), this.dom.appendChild(this.announceDOM), this.dom.appendChild(this.scrollDOM), e.parent && e.parent.appendChild(this.dom);
		let { dispatch: t } = e;
		this.dispatchTransactions = e.dispatchTransactions || t && ((e) => e.forEach((e) => t(e, this))) || ((e) => this.update(e)), this.dispatch = this.dispatch.bind(this), this._root = e.root || Wx(e.parent) || document, this.viewState = new CT(this, e.state || cb.create(e)), e.scrollTo && e.scrollTo.is(MS) && (this.viewState.scrollTarget = e.scrollTo.value.clip(this.viewState.state)), this.plugins = this.state.facet(LS).map((e) => new zS(e));
		for (let e of this.plugins) e.update(this);
		this.observer = new UT(this), this.inputState = new mw(this), this.inputState.ensureHandlers(this.plugins), this.docView = new OC(this), this.mountStyles(), this.updateAttrs(), this.updateState = 0, this.requestMeasure(), document.fonts?.ready && document.fonts.ready.then(() => {
			this.viewState.mustMeasureContent = "refresh", this.requestMeasure();
		});
	}
	dispatch(...e) {
		let t = e.length == 1 && e[0] instanceof Jy ? e : e.length == 1 && Array.isArray(e[0]) ? e[0] : [this.state.update(...e)];
		this.dispatchTransactions(t, this);
	}
	update(t) {
		if (this.updateState != 0) throw Error("Calls to EditorView.update are not allowed while an update is in progress");
		let n = !1, r = !1, i, a = this.state;
		for (let e of t) {
			if (e.startState != a) throw RangeError("Trying to update state with a transaction that doesn't start from the previous state.");
			a = e.state;
		}
		if (this.destroyed) {
			this.viewState.state = a;
			return;
		}
		let o = this.hasFocus, s = 0, c = null;
		t.some((e) => e.annotation(qw)) ? (this.inputState.notifiedFocused = o, s = 1) : o != this.inputState.notifiedFocused && (this.inputState.notifiedFocused = o, c = Jw(a, o), c || (s = 1));
		let l = this.observer.delayedAndroidKey, u = null;
		if (l ? (this.observer.clearDelayedAndroidKey(), u = this.observer.readChange(), (u && !this.state.doc.eq(a.doc) || !this.state.selection.eq(a.selection)) && (u = null)) : this.observer.clear(), a.facet(cb.phrases) != this.state.facet(cb.phrases)) return this.setState(a);
		i = $S.create(this, a, t), i.flags |= s;
		let d = this.viewState.scrollTarget;
		try {
			this.updateState = 2;
			for (let n of t) {
				if (d &&= d.map(n.changes), n.scrollIntoView) {
					let { main: t } = n.state.selection, { x: r, y: i } = this.state.facet(e.cursorScrollMargin);
					d = new jS(t.empty ? t : J.cursor(t.head, t.head > t.anchor ? -1 : 1), "nearest", "nearest", i, r);
				}
				for (let e of n.effects) e.is(MS) && (d = e.value.clip(this.state));
			}
			this.viewState.update(i, d), this.bidiCache = XT.update(this.bidiCache, i.changes), i.empty || (this.updatePlugins(i), this.inputState.update(i)), n = this.docView.update(i), this.state.facet(ZS) != this.styleModules && this.mountStyles(), r = this.updateAttrs(), this.showAnnouncements(t), this.docView.updateSelection(n, t.some((e) => e.isUserEvent("select.pointer")));
		} finally {
			this.updateState = 0;
		}
		if (i.startState.facet(NT) != i.state.facet(NT) && (this.viewState.mustMeasureContent = !0), (n || r || d || this.viewState.mustEnforceCursorAssoc || this.viewState.mustMeasureContent) && this.requestMeasure(), n && this.docViewUpdate(), !i.empty) for (let e of this.state.facet(CS)) try {
			e(i);
		} catch (e) {
			PS(this.state, e, "update listener");
		}
		(c || u) && Promise.resolve().then(() => {
			c && this.state == c.startState && this.dispatch(c), u && !sw(this, u) && l.force && Ux(this.contentDOM, l.key, l.keyCode);
		});
	}
	setState(e) {
		if (this.updateState != 0) throw Error("Calls to EditorView.setState are not allowed while an update is in progress");
		if (this.destroyed) {
			this.viewState.state = e;
			return;
		}
		this.updateState = 2;
		let t = this.hasFocus;
		try {
			for (let e of this.plugins) e.destroy(this);
			this.viewState = new CT(this, e), this.plugins = e.facet(LS).map((e) => new zS(e)), this.pluginMap.clear();
			for (let e of this.plugins) e.update(this);
			this.docView.destroy(), this.docView = new OC(this), this.inputState.ensureHandlers(this.plugins), this.mountStyles(), this.updateAttrs(), this.bidiCache = [];
		} finally {
			this.updateState = 0;
		}
		t && this.focus(), this.requestMeasure();
	}
	updatePlugins(e) {
		let t = e.startState.facet(LS), n = e.state.facet(LS);
		if (t != n) {
			let r = [];
			for (let i of n) {
				let n = t.indexOf(i);
				if (n < 0) r.push(new zS(i));
				else {
					let t = this.plugins[n];
					t.mustUpdate = e, r.push(t);
				}
			}
			for (let t of this.plugins) t.mustUpdate != e && t.destroy(this);
			this.plugins = r, this.pluginMap.clear();
		} else for (let t of this.plugins) t.mustUpdate = e;
		for (let e = 0; e < this.plugins.length; e++) this.plugins[e].update(this);
		t != n && this.inputState.ensureHandlers(this.plugins);
	}
	docViewUpdate() {
		for (let e of this.plugins) {
			let t = e.value;
			if (t && t.docViewUpdate) try {
				t.docViewUpdate(this);
			} catch (e) {
				PS(this.state, e, "doc view update listener");
			}
		}
	}
	measure(e = !0) {
		if (this.destroyed) return;
		if (this.measureScheduled > -1 && this.win.cancelAnimationFrame(this.measureScheduled), this.observer.delayedAndroidKey) {
			this.measureScheduled = -1, this.requestMeasure();
			return;
		}
		this.measureScheduled = 0, e && this.observer.forceFlush();
		let t = null, n = this.viewState.scrollParent, r = this.viewState.getScrollOffset(), { scrollAnchorPos: i, scrollAnchorHeight: a, scaleY: o } = this.viewState;
		Math.abs(r - this.viewState.scrollOffset) > 1 && (a = -1), this.viewState.scrollAnchorHeight = -1;
		try {
			for (let e = 0;; e++) {
				if (a < 0) {
					if (Kx(n || this.win)) i = -1, a = this.viewState.heightMap.height / this.viewState.scaleY;
					else {
						let e = this.viewState.scrollAnchorAt(r);
						i = e.from, a = e.top;
					}
					o = this.viewState.scaleY;
				}
				this.updateState = 1;
				let s = this.viewState.measure();
				if (!s && !this.measureRequests.length && this.viewState.scrollTarget == null) break;
				if (e > 5) {
					console.warn(this.measureRequests.length ? "Measure loop restarted more than 5 times" : "Viewport failed to stabilize");
					break;
				}
				let c = [];
				s & 4 || ([this.measureRequests, c] = [c, this.measureRequests]);
				let l = c.map((e) => {
					try {
						return e.read(this);
					} catch (e) {
						return PS(this.state, e), YT;
					}
				}), u = $S.create(this, this.state, []), d = !1;
				u.flags |= s, t ? t.flags |= s : t = u, this.updateState = 2, u.empty || (this.updatePlugins(u), this.inputState.update(u), this.updateAttrs(), d = this.docView.update(u), d && this.docViewUpdate());
				for (let e = 0; e < c.length; e++) if (l[e] != YT) try {
					let t = c[e];
					t.write && t.write(l[e], this);
				} catch (e) {
					PS(this.state, e);
				}
				if (d && this.docView.updateSelection(!0), !u.viewportChanged && this.measureRequests.length == 0) {
					if (this.viewState.editorHeight) {
						if (this.viewState.scrollTarget) {
							this.docView.scrollIntoView(this.viewState.scrollTarget), this.viewState.scrollTarget = null, a = -1;
							continue;
						}
						{
							let e = (i < 0 ? this.viewState.heightMap.height : this.viewState.lineBlockAt(i).top) / this.viewState.scaleY - a / o;
							if ((e > 1 || e < -1) && !(X.ios && this.inputState.lastIOSMomentumScroll > Date.now() - 100) && (n == this.scrollDOM || this.hasFocus || Math.max(this.inputState.lastWheelEvent, this.inputState.lastTouchTime) > Date.now() - 100)) {
								r += e, n ? i < 0 ? n.scrollTop = n.scrollHeight : n.scrollTop += e : this.win.scrollBy(0, e), a = -1;
								continue;
							}
						}
					}
					break;
				}
			}
		} finally {
			this.updateState = 0, this.measureScheduled = -1;
		}
		if (t && !t.empty) for (let e of this.state.facet(CS)) e(t);
	}
	get themeClasses() {
		return FT + " " + (this.state.facet(PT) ? LT : IT) + " " + this.state.facet(NT);
	}
	updateAttrs() {
		let e = ZT(this, BS, { class: "cm-editor" + (this.hasFocus ? " cm-focused " : " ") + this.themeClasses }), t = {
			spellcheck: "false",
			autocorrect: "off",
			autocapitalize: "off",
			writingsuggestions: "false",
			translate: "no",
			contenteditable: this.state.facet(FS) ? "true" : "false",
			class: "cm-content",
			style: `${X.tabSize}: ${this.state.tabSize}`,
			role: "textbox",
			"aria-multiline": "true"
		};
		this.state.readOnly && (t["aria-readonly"] = "true"), ZT(this, VS, t);
		let n = this.observer.ignore(() => {
			let n = cx(this.contentDOM, this.contentAttrs, t), r = cx(this.dom, this.editorAttrs, e);
			return n || r;
		});
		return this.editorAttrs = e, this.contentAttrs = t, n;
	}
	showAnnouncements(t) {
		let n = !0;
		for (let r of t) for (let t of r.effects) if (t.is(e.announce)) {
			n &&= (this.announceDOM.textContent = "", this.win.clearTimeout(this.clearAnnouncement), this.clearAnnouncement = this.win.setTimeout(() => {
				this.announceDOM.textContent = "\xA0";
			}, 200), !1);
			let e = this.announceDOM.appendChild(document.createElement("div"));
			e.textContent = t.value;
		}
	}
	mountStyles() {
		this.styleModules = this.state.facet(ZS);
		let t = this.state.facet(e.cspNonce);
		Fb.mount(this.root, this.styleModules.concat(BT).reverse(), t ? { nonce: t } : void 0);
	}
	readMeasured() {
		if (this.updateState == 2) throw Error("Reading the editor layout isn't allowed during an update");
		this.updateState == 0 && this.measureScheduled > -1 && this.measure(!1);
	}
	requestMeasure(e) {
		if (this.measureScheduled < 0 && (this.measureScheduled = this.win.requestAnimationFrame(() => this.measure())), e) {
			if (this.measureRequests.indexOf(e) > -1) return;
			if (e.key != null) {
				for (let t = 0; t < this.measureRequests.length; t++) if (this.measureRequests[t].key === e.key) {
					this.measureRequests[t] = e;
					return;
				}
			}
			this.measureRequests.push(e);
		}
	}
	plugin(e) {
		let t = this.pluginMap.get(e);
		return (t === void 0 || t && t.plugin != e) && this.pluginMap.set(e, t = this.plugins.find((t) => t.plugin == e) || null), t && t.update(this).value;
	}
	get documentTop() {
		return this.contentDOM.getBoundingClientRect().top + this.viewState.paddingTop;
	}
	get documentPadding() {
		return {
			top: this.viewState.paddingTop,
			bottom: this.viewState.paddingBottom
		};
	}
	get scaleX() {
		return this.viewState.scaleX;
	}
	get scaleY() {
		return this.viewState.scaleY;
	}
	elementAtHeight(e) {
		return this.readMeasured(), this.viewState.elementAtHeight(e);
	}
	lineBlockAtHeight(e) {
		return this.readMeasured(), this.viewState.lineBlockAtHeight(e);
	}
	get viewportLineBlocks() {
		return this.viewState.viewportLines;
	}
	lineBlockAt(e) {
		return this.viewState.lineBlockAt(e);
	}
	get contentHeight() {
		return this.viewState.contentHeight;
	}
	moveByChar(e, t, n) {
		return XC(this, e, GC(this, e, t, n));
	}
	moveByGroup(e, t) {
		return XC(this, e, GC(this, e, t, (t) => KC(this, e.head, t)));
	}
	visualLineSide(e, t) {
		return t ? J.cursor(e.to, 1) : J.cursor(e.from, -1);
	}
	moveToLineBoundary(e, t, n = !0) {
		return WC(this, e, t, n);
	}
	moveVertically(e, t, n) {
		return XC(this, e, qC(this, e, t, n));
	}
	domAtPos(e, t = 1) {
		return this.docView.domAtPos(e, t);
	}
	posAtDOM(e, t = 0) {
		return this.docView.posFromDOM(e, t);
	}
	posAtCoords(e, t = !0) {
		this.readMeasured();
		let n = QC(this, e, t);
		return n && n.pos;
	}
	posAndSideAtCoords(e, t = !0) {
		return this.readMeasured(), QC(this, e, t);
	}
	coordsAtPos(e, t = 1) {
		this.readMeasured();
		let n = this.state.doc.lineAt(e), r = this.bidiSpans(n), i = r[oS.find(r, e - n.from, -1, t)];
		return n.length && (e == n.from && t < 0 || e == n.to && t > 0) && i.dir != this.textDirectionAt(n.from) && (e == n.to ? (e = n.from + i.from, t = 1) : (e = n.from + i.to, t = -1)), this.docView.coordsAt(e, t, i.dir == Xx.RTL);
	}
	coordsForChar(e) {
		return this.readMeasured(), this.docView.coordsForChar(e);
	}
	get defaultCharacterWidth() {
		return this.viewState.heightOracle.charWidth;
	}
	get defaultLineHeight() {
		return this.viewState.heightOracle.lineHeight;
	}
	get textDirection() {
		return this.viewState.defaultTextDirection;
	}
	textDirectionAt(e) {
		return !this.state.facet(OS) || e < this.viewport.from || e > this.viewport.to ? this.textDirection : (this.readMeasured(), this.docView.textDirectionAt(e));
	}
	get lineWrapping() {
		return this.viewState.heightOracle.lineWrapping;
	}
	bidiSpans(e) {
		if (e.length > JT) return hS(e.length);
		let t = this.textDirectionAt(e.from), n;
		for (let r of this.bidiCache) if (r.from == e.from && r.dir == t && (r.fresh || sS(r.isolates, n = qS(this, e)))) return r.order;
		n ||= qS(this, e);
		let r = mS(e.text, t, n);
		return this.bidiCache.push(new XT(e.from, e.to, t, n, !0, r)), r;
	}
	get hasFocus() {
		return (this.dom.ownerDocument.hasFocus() || X.safari && this.inputState?.lastContextMenu > Date.now() - 3e4) && this.root.activeElement == this.contentDOM;
	}
	focus() {
		this.observer.ignore(() => {
			Bx(this.contentDOM), this.docView.updateSelection();
		});
	}
	setRoot(e) {
		this._root != e && (this._root = e, this.observer.setWindow((e.nodeType == 9 ? e : e.ownerDocument).defaultView || window), this.mountStyles());
	}
	destroy() {
		this.root.activeElement == this.contentDOM && this.contentDOM.blur();
		for (let e of this.plugins) e.destroy(this);
		this.plugins = [], this.inputState.destroy(), this.docView.destroy(), this.dom.remove(), this.observer.destroy(), this.win.clearTimeout(this.clearAnnouncement), this.measureScheduled > -1 && this.win.cancelAnimationFrame(this.measureScheduled), this.destroyed = !0;
	}
	static scrollIntoView(e, t = {}) {
		return MS.of(new jS(typeof e == "number" ? J.cursor(e) : e, t.y ?? "nearest", t.x ?? "nearest", t.yMargin ?? 5, t.xMargin ?? 5));
	}
	scrollSnapshot() {
		let { scrollTop: e, scrollLeft: t } = this.scrollDOM, n = this.viewState.scrollAnchorAt(e);
		return MS.of(new jS(J.cursor(n.from), "start", "start", n.top - e, t, !0));
	}
	setTabFocusMode(e) {
		e == null ? this.inputState.tabFocusMode = this.inputState.tabFocusMode < 0 ? 0 : -1 : typeof e == "boolean" ? this.inputState.tabFocusMode = e ? 0 : -1 : this.inputState.tabFocusMode != 0 && (this.inputState.tabFocusMode = Date.now() + e);
	}
	static domEventHandlers(e) {
		return RS.define(() => ({}), { eventHandlers: e });
	}
	static domEventObservers(e) {
		return RS.define(() => ({}), { eventObservers: e });
	}
	static theme(e, t) {
		let n = Fb.newName(), r = [NT.of(n), ZS.of(zT(`.${n}`, e))];
		return t && t.dark && r.push(PT.of(!0)), r;
	}
	static baseTheme(e) {
		return ky.lowest(ZS.of(zT("." + FT, e, RT)));
	}
	static findFromDOM(e) {
		let t = e.querySelector(".cm-content");
		return (t && tC.get(t) || tC.get(e))?.root?.view || null;
	}
};
Z.styleModule = ZS, Z.inputHandler = wS, Z.clipboardInputFilter = ES, Z.clipboardOutputFilter = DS, Z.scrollHandler = AS, Z.focusChangeEffect = TS, Z.perLineTextDirection = OS, Z.exceptionSink = SS, Z.updateListener = CS, Z.editable = FS, Z.mouseSelectionStyle = xS, Z.dragMovesSelection = bS, Z.clickAddsSelectionRange = yS, Z.decorations = HS, Z.blockWrappers = US, Z.outerDecorations = WS, Z.atomicRanges = GS, Z.bidiIsolatedRanges = KS, Z.cursorScrollMargin = /*@__PURE__*/ Y.define({ combine: (e) => {
	let t = 5, n = 5;
	for (let r of e) typeof r == "number" ? t = n = r : {x: t, y: n} = r;
	return {
		x: t,
		y: n
	};
} }), Z.scrollMargins = YS, Z.darkTheme = PT, Z.cspNonce = /*@__PURE__*/ Y.define({ combine: (e) => e.length ? e[0] : "" }), Z.contentAttributes = VS, Z.editorAttributes = BS, Z.lineWrapping = /*@__PURE__*/ Z.contentAttributes.of({ class: "cm-lineWrapping" }), Z.announce = /*@__PURE__*/ qy.define();
var JT = 4096, YT = {}, XT = class e {
	constructor(e, t, n, r, i, a) {
		this.from = e, this.to = t, this.dir = n, this.isolates = r, this.fresh = i, this.order = a;
	}
	static update(t, n) {
		if (n.empty && !t.some((e) => e.fresh)) return t;
		let r = [], i = t.length ? t[t.length - 1].dir : Xx.LTR;
		for (let a = Math.max(0, t.length - 10); a < t.length; a++) {
			let o = t[a];
			o.dir == i && !n.touchesRange(o.from, o.to) && r.push(new e(n.mapPos(o.from, 1), n.mapPos(o.to, -1), o.dir, o.isolates, !1, o.order));
		}
		return r;
	}
};
function ZT(e, t, n) {
	for (let r = e.state.facet(t), i = r.length - 1; i >= 0; i--) {
		let t = r[i], a = typeof t == "function" ? t(e) : t;
		a && ix(a, n);
	}
	return n;
}
var QT = X.mac ? "mac" : X.windows ? "win" : X.linux ? "linux" : "key";
function $T(e, t) {
	let n = e.split(/-(?!$)/), r = n[n.length - 1];
	r == "Space" && (r = " ");
	let i, a, o, s;
	for (let e = 0; e < n.length - 1; ++e) {
		let r = n[e];
		if (/^(cmd|meta|m)$/i.test(r)) s = !0;
		else if (/^a(lt)?$/i.test(r)) i = !0;
		else if (/^(c|ctrl|control)$/i.test(r)) a = !0;
		else if (/^s(hift)?$/i.test(r)) o = !0;
		else if (/^mod$/i.test(r)) t == "mac" ? s = !0 : a = !0;
		else throw Error("Unrecognized modifier name: " + r);
	}
	return i && (r = "Alt-" + r), a && (r = "Ctrl-" + r), s && (r = "Meta-" + r), o && (r = "Shift-" + r), r;
}
function eE(e, t, n) {
	return t.altKey && (e = "Alt-" + e), t.ctrlKey && (e = "Ctrl-" + e), t.metaKey && (e = "Meta-" + e), n !== !1 && t.shiftKey && (e = "Shift-" + e), e;
}
var tE = /*@__PURE__*/ ky.default(/*@__PURE__*/ Z.domEventHandlers({ keydown(e, t) {
	return lE(iE(t.state), e, t, "editor");
} })), nE = /*@__PURE__*/ Y.define({ enables: tE }), rE = /*@__PURE__*/ new WeakMap();
function iE(e) {
	let t = e.facet(nE), n = rE.get(t);
	return n || rE.set(t, n = sE(t.reduce((e, t) => e.concat(t), []))), n;
}
var aE = null, oE = 4e3;
function sE(e, t = QT) {
	let n = Object.create(null), r = Object.create(null), i = (e, t) => {
		let n = r[e];
		if (n == null) r[e] = t;
		else if (n != t) throw Error("Key binding " + e + " is used both as a regular binding and as a multi-stroke prefix");
	}, a = (e, r, a, o, s) => {
		let c = n[e] || (n[e] = Object.create(null)), l = r.split(/ (?!$)/).map((e) => $T(e, t));
		for (let t = 1; t < l.length; t++) {
			let n = l.slice(0, t).join(" ");
			i(n, !0), c[n] || (c[n] = {
				preventDefault: !0,
				stopPropagation: !1,
				run: [(t) => {
					let r = aE = {
						view: t,
						prefix: n,
						scope: e
					};
					return setTimeout(() => {
						aE == r && (aE = null);
					}, oE), !0;
				}]
			});
		}
		let u = l.join(" ");
		i(u, !1);
		let d = c[u] || (c[u] = {
			preventDefault: !1,
			stopPropagation: !1,
			run: (c._any?.run)?.slice() || []
		});
		a && d.run.push(a), o && (d.preventDefault = !0), s && (d.stopPropagation = !0);
	};
	for (let r of e) {
		let e = r.scope ? r.scope.split(" ") : ["editor"];
		if (r.any) for (let t of e) {
			let e = n[t] || (n[t] = Object.create(null));
			e._any ||= {
				preventDefault: !1,
				stopPropagation: !1,
				run: []
			};
			let { any: i } = r;
			for (let t in e) e[t].run.push((e) => i(e, cE));
		}
		let i = r[t] || r.key;
		if (i) for (let t of e) a(t, i, r.run, r.preventDefault, r.stopPropagation), r.shift && a(t, "Shift-" + i, r.shift, r.preventDefault, r.stopPropagation);
	}
	return n;
}
var cE = null;
function lE(e, t, n, r) {
	cE = t;
	let i = Wb(t), a = oy(iy(i, 0)) == i.length && i != " ", o = "", s = !1, c = !1, l = !1;
	aE && aE.view == n && aE.scope == r && (o = aE.prefix + " ", bw.indexOf(t.keyCode) < 0 && (c = !0, aE = null));
	let u = /* @__PURE__ */ new Set(), d = (e) => {
		if (e) {
			for (let t of e.run) if (!u.has(t) && (u.add(t), t(n))) return e.stopPropagation && (l = !0), !0;
			e.preventDefault && (e.stopPropagation && (l = !0), c = !0);
		}
		return !1;
	}, f = e[r], p, m;
	return f && (d(f[o + eE(i, t, !a)]) ? s = !0 : a && (t.altKey || t.metaKey || t.ctrlKey) && !(X.windows && t.ctrlKey && t.altKey) && !(X.mac && t.altKey && !(t.ctrlKey || t.metaKey)) && (p = Rb[t.keyCode]) && p != i ? (d(f[o + eE(p, t, !0)]) || t.shiftKey && (m = zb[t.keyCode]) != i && m != p && d(f[o + eE(m, t, !1)])) && (s = !0) : a && t.shiftKey && d(f[o + eE(i, t, !0)]) && (s = !0), !s && d(f._any) && (s = !0)), c && (s = !0), s && l && t.stopPropagation(), cE = null, s;
}
var uE = !X.ios, dE = X.gecko && X.gecko_version == 153 ? "#ffffff01" : "transparent";
({ ...uE ? { "& ::selection, &::selection": { backgroundColor: `${dE} !important` } } : {} }), { ...uE ? { "&::selection, & ::selection": { backgroundColor: "Highlight !important" } } : {} }, /x/.unicode;
var fE = "-10000px", pE = class {
	constructor(e, t, n, r) {
		this.facet = t, this.createTooltipView = n, this.removeTooltipView = r, this.input = e.state.facet(t), this.tooltips = this.input.filter((e) => e);
		let i = null;
		this.tooltipViews = this.tooltips.map((e) => i = n(e, i));
	}
	update(e, t) {
		var n;
		let r = e.state.facet(this.facet), i = r.filter((e) => e);
		if (r === this.input) {
			for (let t of this.tooltipViews) t.update && t.update(e);
			return !1;
		}
		let a = [], o = t ? [] : null;
		for (let n = 0; n < i.length; n++) {
			let r = i[n], s = -1;
			if (r) {
				for (let e = 0; e < this.tooltips.length; e++) {
					let t = this.tooltips[e];
					t && t.create == r.create && (s = e);
				}
				if (s < 0) a[n] = this.createTooltipView(r, n ? a[n - 1] : null), o && (o[n] = !!r.above);
				else {
					let r = a[n] = this.tooltipViews[s];
					o && (o[n] = t[s]), r.update && r.update(e);
				}
			}
		}
		for (let e of this.tooltipViews) a.indexOf(e) < 0 && (this.removeTooltipView(e), (n = e.destroy) == null || n.call(e));
		return t && (o.forEach((e, n) => t[n] = e), t.length = o.length), this.input = r, this.tooltips = i, this.tooltipViews = a, !0;
	}
};
function mE(e) {
	let t = e.dom.ownerDocument.documentElement, n = t.clientWidth, r = getComputedStyle(t);
	if (!/stable/.test(r.scrollbarGutter || "")) return {
		left: 0,
		right: n
	};
	let i = t.getBoundingClientRect(), a = e.win.scrollX;
	return {
		left: Math.max(0, i.left + a - parseFloat(r.marginLeft)),
		right: Math.min(n, i.right + a + parseFloat(r.marginRight))
	};
}
function hE(e) {
	let { left: t, right: n } = mE(e);
	return {
		top: 0,
		left: t,
		right: n,
		bottom: e.dom.ownerDocument.documentElement.clientHeight
	};
}
var gE = /*@__PURE__*/ Y.define({ combine: (e) => ({
	position: X.ios ? "absolute" : e.find((e) => e.position)?.position || "fixed",
	parent: e.find((e) => e.parent)?.parent || null,
	tooltipSpace: e.find((e) => e.tooltipSpace)?.tooltipSpace || hE
}) }), _E = /*@__PURE__*/ new WeakMap(), vE = /*@__PURE__*/ RS.fromClass(class {
	constructor(e) {
		this.view = e, this.above = [], this.inView = !0, this.madeAbsolute = !1, this.lastTransaction = 0, this.measureTimeout = -1;
		let t = e.state.facet(gE);
		this.position = t.position, this.parent = t.parent, this.classes = e.themeClasses, this.createContainer(), this.measureReq = {
			read: this.readMeasure.bind(this),
			write: this.writeMeasure.bind(this),
			key: this
		}, this.resizeObserver = typeof ResizeObserver == "function" ? new ResizeObserver(() => this.measureSoon()) : null, this.manager = new pE(e, SE, (e, t) => this.createTooltip(e, t), (e) => {
			this.resizeObserver && this.resizeObserver.unobserve(e.dom), e.dom.remove();
		}), this.above = this.manager.tooltips.map((e) => !!e.above), this.intersectionObserver = typeof IntersectionObserver == "function" ? new IntersectionObserver((e) => {
			Date.now() > this.lastTransaction - 50 && e.length > 0 && e[e.length - 1].intersectionRatio < 1 && this.measureSoon();
		}, { threshold: [1] }) : null, this.observeIntersection(), e.win.addEventListener("resize", this.measureSoon = this.measureSoon.bind(this)), this.maybeMeasure();
	}
	createContainer() {
		this.parent ? (this.container = document.createElement("div"), this.container.style.position = "relative", this.container.className = this.view.themeClasses, this.parent.appendChild(this.container)) : this.container = this.view.dom;
	}
	observeIntersection() {
		if (this.intersectionObserver) {
			this.intersectionObserver.disconnect();
			for (let e of this.manager.tooltipViews) this.intersectionObserver.observe(e.dom);
		}
	}
	measureSoon() {
		this.measureTimeout < 0 && (this.measureTimeout = setTimeout(() => {
			this.measureTimeout = -1, this.maybeMeasure();
		}, 50));
	}
	update(e) {
		e.transactions.length && (this.lastTransaction = Date.now());
		let t = this.manager.update(e, this.above);
		t && this.observeIntersection();
		let n = t || e.geometryChanged, r = e.state.facet(gE);
		if (r.position != this.position && !this.madeAbsolute) {
			this.position = r.position;
			for (let e of this.manager.tooltipViews) e.dom.style.position = this.position;
			n = !0;
		}
		if (r.parent != this.parent) {
			this.parent && this.container.remove(), this.parent = r.parent, this.createContainer();
			for (let e of this.manager.tooltipViews) this.container.appendChild(e.dom);
			n = !0;
		} else this.parent && this.view.themeClasses != this.classes && (this.classes = this.container.className = this.view.themeClasses);
		n && this.maybeMeasure();
	}
	createTooltip(e, t) {
		let n = e.create(this.view), r = t ? t.dom : null;
		if (n.dom.classList.add("cm-tooltip"), e.arrow && !n.dom.querySelector(".cm-tooltip > .cm-tooltip-arrow")) {
			let e = document.createElement("div");
			e.className = "cm-tooltip-arrow", n.dom.appendChild(e);
		}
		return n.dom.style.position = this.position, n.dom.style.top = fE, n.dom.style.left = "0px", this.container.insertBefore(n.dom, r), n.mount && n.mount(this.view), this.resizeObserver && this.resizeObserver.observe(n.dom), n;
	}
	destroy() {
		var e, t, n;
		this.view.win.removeEventListener("resize", this.measureSoon);
		for (let t of this.manager.tooltipViews) t.dom.remove(), (e = t.destroy) == null || e.call(t);
		this.parent && this.container.remove(), (t = this.resizeObserver) == null || t.disconnect(), (n = this.intersectionObserver) == null || n.disconnect(), clearTimeout(this.measureTimeout);
	}
	readMeasure() {
		let e = 1, t = 1, n = !1, r = 0;
		if (this.position == "fixed" && this.manager.tooltipViews.length) {
			let { dom: e } = this.manager.tooltipViews[0];
			if (X.safari) {
				let t = e.getBoundingClientRect();
				n = Math.abs(t.top + 1e4) > 1 || Math.abs(t.left) > 1;
			} else n = !!e.offsetParent && e.offsetParent != this.container.ownerDocument.body;
		}
		if (n || this.position == "absolute") {
			if (this.parent) {
				let n = this.parent.getBoundingClientRect();
				n.width && n.height && (e = n.width / this.parent.offsetWidth, t = n.height / this.parent.offsetHeight);
			} else ({scaleX: e, scaleY: t} = this.view.viewState);
		} else r = mE(this.view).left;
		let i = this.view.scrollDOM.getBoundingClientRect(), a = XS(this.view);
		return {
			visible: {
				left: i.left + a.left,
				top: i.top + a.top,
				right: i.right - a.right,
				bottom: i.bottom - a.bottom
			},
			parent: this.parent ? this.container.getBoundingClientRect() : this.view.dom.getBoundingClientRect(),
			pos: this.manager.tooltips.map((e, t) => {
				let n = this.manager.tooltipViews[t];
				return n.getCoords ? n.getCoords(e.pos) : this.view.coordsAtPos(e.pos);
			}),
			size: this.manager.tooltipViews.map(({ dom: e }) => e.getBoundingClientRect()),
			space: this.view.state.facet(gE).tooltipSpace(this.view),
			scaleX: e,
			scaleY: t,
			makeAbsolute: n,
			fixedLeft: r
		};
	}
	writeMeasure(e) {
		if (e.makeAbsolute) {
			this.madeAbsolute = !0, this.position = "absolute";
			for (let e of this.manager.tooltipViews) e.dom.style.position = "absolute";
		}
		let { visible: t, space: n, scaleX: r, scaleY: i } = e, a = [];
		for (let o = 0; o < this.manager.tooltips.length; o++) {
			let s = this.manager.tooltips[o], c = this.manager.tooltipViews[o], { dom: l } = c, u = e.pos[o], d = e.size[o];
			if (!u || s.clip !== !1 && (u.bottom <= Math.max(t.top, n.top) || u.top >= Math.min(t.bottom, n.bottom) || u.right < Math.max(t.left, n.left) - .1 || u.left > Math.min(t.right, n.right) + .1)) {
				l.style.top = fE;
				continue;
			}
			let f = s.arrow ? c.dom.querySelector(".cm-tooltip-arrow") : null, p = f ? 7 : 0, m = d.right - d.left, h = _E.get(c) ?? d.bottom - d.top, g = c.offset || xE, _ = this.view.textDirection == Xx.LTR, v = d.width > n.right - n.left ? _ ? n.left : n.right - d.width : _ ? Math.max(n.left, Math.min(u.left - (f ? 14 : 0) + g.x, n.right - m)) : Math.min(Math.max(n.left, u.left - m + (f ? 14 : 0) - g.x), n.right - m), y = this.above[o];
			!s.strictSide && (y ? u.top - h - p - g.y < n.top : u.bottom + h + p + g.y > n.bottom) && y == n.bottom - u.bottom > u.top - n.top && (y = this.above[o] = !y);
			let b = (y ? u.top - n.top : n.bottom - u.bottom) - p;
			if (b < h && c.resize !== !1) {
				if (b < this.view.defaultLineHeight) {
					l.style.top = fE;
					continue;
				}
				_E.set(c, h), l.style.height = (h = b) / i + "px";
			} else l.style.height && (l.style.height = "");
			let x = y ? u.top - h - p - g.y : u.bottom + p + g.y, S = v + m;
			if (c.overlap !== !0) for (let e of a) e.left < S && e.right > v && e.top < x + h && e.bottom > x && (x = y ? e.top - h - 2 - p : e.bottom + p + 2);
			if (this.position == "absolute" ? (l.style.top = (x - e.parent.top) / i + "px", yE(l, (v - e.parent.left) / r)) : (l.style.top = x / i + "px", yE(l, (v - e.fixedLeft) / r)), f) {
				let e = u.left + (_ ? g.x : -g.x) - (v + 14 - 7);
				f.style.left = e / r + "px";
			}
			c.overlap !== !0 && a.push({
				left: v,
				top: x,
				right: S,
				bottom: x + h
			}), l.classList.toggle("cm-tooltip-above", y), l.classList.toggle("cm-tooltip-below", !y), c.positioned && c.positioned(e.space);
		}
	}
	maybeMeasure() {
		if (this.manager.tooltips.length && (this.view.inView && this.view.requestMeasure(this.measureReq), this.inView != this.view.inView && (this.inView = this.view.inView, !this.inView))) for (let e of this.manager.tooltipViews) e.dom.style.top = fE;
	}
}, { eventObservers: { scroll() {
	this.maybeMeasure();
} } });
function yE(e, t) {
	let n = parseInt(e.style.left, 10);
	(isNaN(n) || Math.abs(t - n) > 1) && (e.style.left = t + "px");
}
var bE = /*@__PURE__*/ Z.baseTheme({
	".cm-tooltip": {
		zIndex: 500,
		boxSizing: "border-box"
	},
	"&light .cm-tooltip": {
		border: "1px solid #bbb",
		backgroundColor: "#f5f5f5"
	},
	"&light .cm-tooltip-section:not(:first-child)": { borderTop: "1px solid #bbb" },
	"&dark .cm-tooltip": {
		backgroundColor: "#333338",
		color: "white"
	},
	".cm-tooltip-arrow": {
		height: "7px",
		width: "14px",
		position: "absolute",
		zIndex: -1,
		overflow: "hidden",
		"&:before, &:after": {
			content: "''",
			position: "absolute",
			width: 0,
			height: 0,
			borderLeft: "7px solid transparent",
			borderRight: "7px solid transparent"
		},
		".cm-tooltip-above &": {
			bottom: "-7px",
			"&:before": { borderTop: "7px solid #bbb" },
			"&:after": {
				borderTop: "7px solid #f5f5f5",
				bottom: "1px"
			}
		},
		".cm-tooltip-below &": {
			top: "-7px",
			"&:before": { borderBottom: "7px solid #bbb" },
			"&:after": {
				borderBottom: "7px solid #f5f5f5",
				top: "1px"
			}
		}
	},
	"&dark .cm-tooltip .cm-tooltip-arrow": {
		"&:before": {
			borderTopColor: "#333338",
			borderBottomColor: "#333338"
		},
		"&:after": {
			borderTopColor: "transparent",
			borderBottomColor: "transparent"
		}
	}
}), xE = {
	x: 0,
	y: 0
}, SE = /*@__PURE__*/ Y.define({ enables: [vE, bE] }), CE = /*@__PURE__*/ Y.define({ combine: (e) => e.reduce((e, t) => e.concat(t), []) }), wE = class e {
	static create(t) {
		return new e(t);
	}
	constructor(e) {
		this.view = e, this.mounted = !1, this.dom = document.createElement("div"), this.dom.classList.add("cm-tooltip-hover"), this.manager = new pE(e, CE, (e, t) => this.createHostedView(e, t), (e) => e.dom.remove());
	}
	createHostedView(e, t) {
		let n = e.create(this.view);
		return n.dom.classList.add("cm-tooltip-section"), this.dom.insertBefore(n.dom, t ? t.dom.nextSibling : this.dom.firstChild), this.mounted && n.mount && n.mount(this.view), n;
	}
	mount(e) {
		for (let t of this.manager.tooltipViews) t.mount && t.mount(e);
		this.mounted = !0;
	}
	positioned(e) {
		for (let t of this.manager.tooltipViews) t.positioned && t.positioned(e);
	}
	update(e) {
		this.manager.update(e);
	}
	destroy() {
		var e;
		for (let t of this.manager.tooltipViews) (e = t.destroy) == null || e.call(t);
	}
	passProp(e) {
		let t;
		for (let n of this.manager.tooltipViews) {
			let r = n[e];
			if (r !== void 0) {
				if (t === void 0) t = r;
				else if (t !== r) return;
			}
		}
		return t;
	}
	get offset() {
		return this.passProp("offset");
	}
	get getCoords() {
		return this.passProp("getCoords");
	}
	get overlap() {
		return this.passProp("overlap");
	}
	get resize() {
		return this.passProp("resize");
	}
}, TE = /*@__PURE__*/ SE.compute([CE], (e) => {
	let t = e.facet(CE);
	return t.length === 0 ? null : {
		pos: Math.min(...t.map((e) => e.pos)),
		end: Math.max(...t.map((e) => e.end ?? e.pos)),
		create: wE.create,
		above: t[0].above,
		arrow: t.some((e) => e.arrow)
	};
}), EE = /*@__PURE__*/ Y.define(), DE = class {
	constructor(e, t, n, r, i, a) {
		this.view = e, this.source = t, this.field = n, this.locked = r, this.setHover = i, this.hoverTime = a, this.hoverTimeout = -1, this.restartTimeout = -1, this.pending = null, this.lastMove = {
			x: 0,
			y: 0,
			target: e.dom,
			time: 0
		}, this.checkHover = this.checkHover.bind(this), e.dom.addEventListener("mouseleave", this.mouseleave = this.mouseleave.bind(this)), e.dom.addEventListener("mousemove", this.mousemove = this.mousemove.bind(this));
	}
	update(e) {
		this.pending && (this.pending = null, clearTimeout(this.restartTimeout), this.restartTimeout = setTimeout(() => this.startHover(), 20));
	}
	get active() {
		return this.view.state.field(this.field);
	}
	checkHover() {
		if (this.hoverTimeout = -1, this.active.length) return;
		let e = Date.now() - this.lastMove.time;
		e < this.hoverTime ? this.hoverTimeout = setTimeout(this.checkHover, this.hoverTime - e) : this.startHover();
	}
	startHover() {
		clearTimeout(this.restartTimeout);
		let { view: e, lastMove: t } = this, n = e.docView.tile.nearest(t.target);
		if (!n) return;
		let r, i = 1;
		if (n.isWidget()) r = n.posAtStart;
		else {
			if (r = e.posAtCoords(t), r == null) return;
			let n = e.coordsAtPos(r);
			if (!n || t.y < n.top || t.y > n.bottom || t.x < n.left - e.defaultCharacterWidth || t.x > n.right + e.defaultCharacterWidth) return;
			let a = e.bidiSpans(e.state.doc.lineAt(r)).find((e) => e.from <= r && e.to >= r), o = a && a.dir == Xx.RTL ? -1 : 1;
			i = t.x < n.left ? -o : o;
		}
		this.activateHover(e, r, i);
	}
	activateHover(e, t, n, r) {
		let i = this.source(e, t, n), a = (t) => {
			if (t && (!Array.isArray(t) || t.length)) {
				let n = Array.isArray(t) ? t : [t];
				r && this.locked.set(n, r), e.dispatch({ effects: this.setHover.of(n) });
			}
		};
		if (i && "then" in i) {
			let n = this.pending = { pos: t };
			i.then((e) => {
				this.pending == n && (this.pending = null, a(e));
			}, (t) => PS(e.state, t, "hover tooltip"));
		} else a(i);
	}
	get tooltip() {
		let e = this.view.plugin(vE), t = e ? e.manager.tooltips.findIndex((e) => e.create == wE.create) : -1;
		return t > -1 ? e.manager.tooltipViews[t] : null;
	}
	mousemove(e) {
		this.lastMove = {
			x: e.clientX,
			y: e.clientY,
			target: e.target,
			time: Date.now()
		}, this.hoverTimeout < 0 && (this.hoverTimeout = setTimeout(this.checkHover, this.hoverTime));
		let { active: t, tooltip: n } = this;
		if (t.length && !this.locked.has(t) && n && !kE(n.dom, e) || this.pending) {
			let { pos: n } = t[0] || this.pending, r = t[0]?.end ?? n;
			(n == r ? this.view.posAtCoords(this.lastMove) != n : !AE(this.view, n, r, e.clientX, e.clientY)) && (this.view.dispatch({ effects: this.setHover.of([]) }), this.pending = null);
		}
	}
	mouseleave(e) {
		clearTimeout(this.hoverTimeout), this.hoverTimeout = -1;
		let { active: t } = this;
		if (t.length && !this.locked.has(t)) {
			let { tooltip: t } = this;
			t && t.dom.contains(e.relatedTarget) ? this.watchTooltipLeave(t.dom) : this.view.dispatch({ effects: this.setHover.of([]) });
		}
	}
	watchTooltipLeave(e) {
		let t = (n) => {
			e.removeEventListener("mouseleave", t);
			let { active: r } = this;
			r.length && !this.locked.has(r) && !this.view.dom.contains(n.relatedTarget) && this.view.dispatch({ effects: this.setHover.of([]) });
		};
		e.addEventListener("mouseleave", t);
	}
	destroy() {
		clearTimeout(this.hoverTimeout), clearTimeout(this.restartTimeout), this.view.dom.removeEventListener("mouseleave", this.mouseleave), this.view.dom.removeEventListener("mousemove", this.mousemove);
	}
}, OE = 4;
function kE(e, t) {
	let { left: n, right: r, top: i, bottom: a } = e.getBoundingClientRect(), o;
	if (o = e.querySelector(".cm-tooltip-arrow")) {
		let e = o.getBoundingClientRect();
		i = Math.min(e.top, i), a = Math.max(e.bottom, a);
	}
	return t.clientX >= n - OE && t.clientX <= r + OE && t.clientY >= i - OE && t.clientY <= a + OE;
}
function AE(e, t, n, r, i, a) {
	let o = e.scrollDOM.getBoundingClientRect(), s = e.documentTop + e.documentPadding.top + e.contentHeight;
	if (o.left > r || o.right < r || o.top > i || Math.min(o.bottom, s) < i) return !1;
	let c = e.posAtCoords({
		x: r,
		y: i
	}, !1);
	return c >= t && c <= n;
}
function jE(e, t = {}) {
	let n = qy.define(), r = /* @__PURE__ */ new WeakMap(), i = Ey.define({
		create() {
			return [];
		},
		update(e, a) {
			let o = r.get(e);
			if (e.length && (t.hideOnChange && (a.docChanged || a.selection) || o && o(a) ? e = [] : t.hideOn && (e = e.filter((e) => !t.hideOn(a, e)))), a.docChanged && e.length) {
				let t = [];
				for (let n of e) {
					let e = a.changes.mapPos(n.pos, -1, cy.TrackDel);
					if (e != null) {
						let r = Object.assign(Object.create(null), n);
						r.pos = e, r.end != null && (r.end = a.changes.mapPos(r.end)), t.push(r);
					}
				}
				e = t;
			}
			for (let t of a.effects) t.is(n) && (e = t.value, o = void 0), (t.is(NE) && !t.value || t.value == i) && (e = []);
			return e.length && o && r.set(e, o), e;
		},
		provide: (e) => CE.from(e)
	}), a = RS.define((a) => new DE(a, e, i, r, n, t.hoverTime || 300));
	return {
		active: i,
		extension: [
			i,
			a,
			EE.of(a),
			TE
		]
	};
}
function ME(e, t) {
	let n = e.plugin(vE);
	if (!n) return null;
	let r = n.manager.tooltips.indexOf(t);
	return r < 0 ? null : n.manager.tooltipViews[r];
}
var NE = /*@__PURE__*/ qy.define(), PE = /*@__PURE__*/ Y.define({ combine(e) {
	let t, n;
	for (let r of e) t ||= r.topContainer, n ||= r.bottomContainer;
	return {
		topContainer: t,
		bottomContainer: n
	};
} }), FE = /*@__PURE__*/ RS.fromClass(class {
	constructor(e) {
		this.input = e.state.facet(RE), this.specs = this.input.filter((e) => e), this.panels = this.specs.map((t) => t(e));
		let t = e.state.facet(PE);
		this.top = new IE(e, !0, t.topContainer), this.bottom = new IE(e, !1, t.bottomContainer), this.top.sync(this.panels.filter((e) => e.top)), this.bottom.sync(this.panels.filter((e) => !e.top));
		for (let e of this.panels) e.dom.classList.add("cm-panel"), e.mount && e.mount();
	}
	update(e) {
		let t = e.state.facet(PE);
		this.top.container != t.topContainer && (this.top.sync([]), this.top = new IE(e.view, !0, t.topContainer)), this.bottom.container != t.bottomContainer && (this.bottom.sync([]), this.bottom = new IE(e.view, !1, t.bottomContainer)), this.top.syncClasses(), this.bottom.syncClasses();
		let n = e.state.facet(RE);
		if (n != this.input) {
			let t = n.filter((e) => e), r = [], i = [], a = [], o = [];
			for (let n of t) {
				let t = this.specs.indexOf(n), s;
				t < 0 ? (s = n(e.view), o.push(s)) : (s = this.panels[t], s.update && s.update(e)), r.push(s), (s.top ? i : a).push(s);
			}
			this.specs = t, this.panels = r, this.top.sync(i), this.bottom.sync(a);
			for (let e of o) e.dom.classList.add("cm-panel"), e.mount && e.mount();
		} else for (let t of this.panels) t.update && t.update(e);
	}
	destroy() {
		this.top.sync([]), this.bottom.sync([]);
	}
}, { provide: (e) => Z.scrollMargins.of((t) => {
	let n = t.plugin(e);
	return n && {
		top: n.top.scrollMargin(),
		bottom: n.bottom.scrollMargin()
	};
}) }), IE = class {
	constructor(e, t, n) {
		this.view = e, this.top = t, this.container = n, this.dom = void 0, this.classes = "", this.panels = [], this.syncClasses();
	}
	sync(e) {
		for (let t of this.panels) t.destroy && e.indexOf(t) < 0 && t.destroy();
		this.panels = e, this.syncDOM();
	}
	syncDOM() {
		if (this.panels.length == 0) {
			this.dom &&= (this.dom.remove(), void 0);
			return;
		}
		if (!this.dom) {
			this.dom = document.createElement("div"), this.dom.className = this.top ? "cm-panels cm-panels-top" : "cm-panels cm-panels-bottom";
			let e = this.container || this.view.dom;
			e.insertBefore(this.dom, this.top ? e.firstChild : null);
		}
		let e = this.dom.firstChild;
		for (let t of this.panels) if (t.dom.parentNode == this.dom) {
			for (; e != t.dom;) e = LE(e);
			e = e.nextSibling;
		} else this.dom.insertBefore(t.dom, e);
		for (; e;) e = LE(e);
	}
	scrollMargin() {
		return !this.dom || this.container ? 0 : Math.max(0, this.top ? this.dom.getBoundingClientRect().bottom - Math.max(0, this.view.scrollDOM.getBoundingClientRect().top) : Math.min(innerHeight, this.view.scrollDOM.getBoundingClientRect().bottom) - this.dom.getBoundingClientRect().top);
	}
	syncClasses() {
		if (this.container && this.classes != this.view.themeClasses) {
			for (let e of this.classes.split(" ")) e && this.container.classList.remove(e);
			for (let e of (this.classes = this.view.themeClasses).split(" ")) e && this.container.classList.add(e);
		}
	}
};
function LE(e) {
	let t = e.nextSibling;
	return e.remove(), t;
}
var RE = /*@__PURE__*/ Y.define({ enables: FE }), zE = class extends ub {
	compare(e) {
		return this == e || this.constructor == e.constructor && this.eq(e);
	}
	eq(e) {
		return !1;
	}
	destroy(e) {}
};
zE.prototype.elementClass = "", zE.prototype.toDOM = void 0, zE.prototype.mapMode = cy.TrackBefore, zE.prototype.startSide = zE.prototype.endSide = -1, zE.prototype.point = !0;
// node_modules/@lezer/common/dist/index.js
var BE = 1024, VE = 0, HE = class {
	constructor(e, t) {
		this.from = e, this.to = t;
	}
}, UE = class {
	constructor(e = {}) {
		this.id = VE++, this.perNode = !!e.perNode, this.deserialize = e.deserialize || (() => {
			throw Error("This node type doesn't define a deserialize function");
		}), this.combine = e.combine || null;
	}
	add(e) {
		if (this.perNode) throw RangeError("Can't add per-node props to node types");
		return typeof e != "function" && (e = KE.match(e)), (t) => {
			let n = e(t);
			return n === void 0 ? null : [this, n];
		};
	}
};
UE.closedBy = new UE({ deserialize: (e) => e.split(" ") }), UE.openedBy = new UE({ deserialize: (e) => e.split(" ") }), UE.group = new UE({ deserialize: (e) => e.split(" ") }), UE.isolate = new UE({ deserialize: (e) => {
	if (e && e != "rtl" && e != "ltr" && e != "auto") throw RangeError("Invalid value for isolate: " + e);
	return e || "auto";
} }), UE.contextHash = new UE({ perNode: !0 }), UE.lookAhead = new UE({ perNode: !0 }), UE.mounted = new UE({ perNode: !0 });
var WE = class {
	constructor(e, t, n, r = !1) {
		this.tree = e, this.overlay = t, this.parser = n, this.bracketed = r;
	}
	static get(e) {
		return e && e.props && e.props[UE.mounted.id];
	}
}, GE = Object.create(null), KE = class e {
	constructor(e, t, n, r = 0) {
		this.name = e, this.props = t, this.id = n, this.flags = r;
	}
	static define(t) {
		let n = t.props && t.props.length ? Object.create(null) : GE, r = +!!t.top | (t.skipped ? 2 : 0) | (t.error ? 4 : 0) | (t.name == null ? 8 : 0), i = new e(t.name || "", n, t.id, r);
		if (t.props) {
			for (let e of t.props) if (Array.isArray(e) || (e = e(i)), e) {
				if (e[0].perNode) throw RangeError("Can't store a per-node prop on a node type");
				n[e[0].id] = e[1];
			}
		}
		return i;
	}
	prop(e) {
		return this.props[e.id];
	}
	get isTop() {
		return (this.flags & 1) > 0;
	}
	get isSkipped() {
		return (this.flags & 2) > 0;
	}
	get isError() {
		return (this.flags & 4) > 0;
	}
	get isAnonymous() {
		return (this.flags & 8) > 0;
	}
	is(e) {
		if (typeof e == "string") {
			if (this.name == e) return !0;
			let t = this.prop(UE.group);
			return t ? t.indexOf(e) > -1 : !1;
		}
		return this.id == e;
	}
	static match(e) {
		let t = Object.create(null);
		for (let n in e) for (let r of n.split(" ")) t[r] = e[n];
		return (e) => {
			for (let n = e.prop(UE.group), r = -1; r < (n ? n.length : 0); r++) {
				let i = t[r < 0 ? e.name : n[r]];
				if (i) return i;
			}
		};
	}
};
KE.none = new KE("", Object.create(null), 0, 8);
var qE = /* @__PURE__ */ new WeakMap(), JE = /* @__PURE__ */ new WeakMap(), YE;
(function(e) {
	e[e.ExcludeBuffers = 1] = "ExcludeBuffers", e[e.IncludeAnonymous = 2] = "IncludeAnonymous", e[e.IgnoreMounts = 4] = "IgnoreMounts", e[e.IgnoreOverlays = 8] = "IgnoreOverlays", e[e.EnterBracketed = 16] = "EnterBracketed";
})(YE ||= {});
var XE = class e {
	constructor(e, t, n, r, i) {
		if (this.type = e, this.children = t, this.positions = n, this.length = r, this.props = null, i && i.length) {
			this.props = Object.create(null);
			for (let [e, t] of i) this.props[typeof e == "number" ? e : e.id] = t;
		}
	}
	toString() {
		let e = WE.get(this);
		if (e && !e.overlay) return e.tree.toString();
		let t = "";
		for (let e of this.children) {
			let n = e.toString();
			n && (t && (t += ","), t += n);
		}
		return this.type.name ? (/\W/.test(this.type.name) && !this.type.isError ? JSON.stringify(this.type.name) : this.type.name) + (t.length ? "(" + t + ")" : "") : t;
	}
	cursor(e = 0) {
		return new uD(this.topNode, e);
	}
	cursorAt(e, t = 0, n = 0) {
		let r = new uD(qE.get(this) || this.topNode);
		return r.moveTo(e, t), qE.set(this, r._tree), r;
	}
	get topNode() {
		return new nD(this, 0, 0, null);
	}
	resolve(e, t = 0) {
		let n = eD(qE.get(this) || this.topNode, e, t, !1);
		return qE.set(this, n), n;
	}
	resolveInner(e, t = 0) {
		let n = eD(JE.get(this) || this.topNode, e, t, !0);
		return JE.set(this, n), n;
	}
	resolveStack(e, t = 0) {
		return lD(this, e, t);
	}
	iterate(e) {
		let { enter: t, leave: n, from: r = 0, to: i = this.length } = e, a = e.mode || 0, o = (a & YE.IncludeAnonymous) > 0;
		for (let e = this.cursor(a | YE.IncludeAnonymous);;) {
			let a = !1;
			if (e.from <= i && e.to >= r && (!o && e.type.isAnonymous || t(e) !== !1)) {
				if (e.firstChild()) continue;
				a = !0;
			}
			for (; a && n && (o || !e.type.isAnonymous) && n(e), !e.nextSibling();) {
				if (!e.parent()) return;
				a = !0;
			}
		}
	}
	prop(e) {
		return e.perNode ? this.props ? this.props[e.id] : void 0 : this.type.prop(e);
	}
	get propValues() {
		let e = [];
		if (this.props) for (let t in this.props) e.push([+t, this.props[t]]);
		return e;
	}
	balance(t = {}) {
		return this.children.length <= 8 ? this : hD(KE.none, this.children, this.positions, 0, this.children.length, 0, this.length, (t, n, r) => new e(this.type, t, n, r, this.propValues), t.makeTree || ((t, n, r) => new e(KE.none, t, n, r)));
	}
	static build(e) {
		return fD(e);
	}
};
XE.empty = new XE(KE.none, [], [], 0);
var ZE = class e {
	constructor(e, t) {
		this.buffer = e, this.index = t;
	}
	get id() {
		return this.buffer[this.index - 4];
	}
	get start() {
		return this.buffer[this.index - 3];
	}
	get end() {
		return this.buffer[this.index - 2];
	}
	get size() {
		return this.buffer[this.index - 1];
	}
	get pos() {
		return this.index;
	}
	next() {
		this.index -= 4;
	}
	fork() {
		return new e(this.buffer, this.index);
	}
}, QE = class e {
	constructor(e, t, n) {
		this.buffer = e, this.length = t, this.set = n;
	}
	get type() {
		return KE.none;
	}
	toString() {
		let e = [];
		for (let t = 0; t < this.buffer.length;) e.push(this.childString(t)), t = this.buffer[t + 3];
		return e.join(",");
	}
	childString(e) {
		let t = this.buffer[e], n = this.buffer[e + 3], r = this.set.types[t], i = r.name;
		if (/\W/.test(i) && !r.isError && (i = JSON.stringify(i)), e += 4, n == e) return i;
		let a = [];
		for (; e < n;) a.push(this.childString(e)), e = this.buffer[e + 3];
		return i + "(" + a.join(",") + ")";
	}
	findChild(e, t, n, r, i) {
		let { buffer: a } = this, o = -1;
		for (let s = e; s != t && !($E(i, r, a[s + 1], a[s + 2]) && (o = s, n > 0)); s = a[s + 3]);
		return o;
	}
	slice(t, n, r) {
		let i = this.buffer, a = new Uint16Array(n - t), o = 0;
		for (let e = t, s = 0; e < n;) {
			a[s++] = i[e++], a[s++] = i[e++] - r;
			let n = a[s++] = i[e++] - r;
			a[s++] = i[e++] - t, o = Math.max(o, n);
		}
		return new e(a, o, this.set);
	}
};
function $E(e, t, n, r) {
	switch (e) {
		case -2: return n < t;
		case -1: return r >= t && n < t;
		case 0: return n < t && r > t;
		case 1: return n <= t && r > t;
		case 2: return r > t;
		case 4: return !0;
	}
}
function eD(e, t, n, r) {
	for (; e.from == e.to || (n < 1 ? e.from >= t : e.from > t) || (n > -1 ? e.to <= t : e.to < t);) {
		let t = !r && e instanceof nD && e.index < 0 ? null : e.parent;
		if (!t) return e;
		e = t;
	}
	let i = r ? 0 : YE.IgnoreOverlays;
	if (r) for (let r = e, a = r.parent; a; r = a, a = r.parent) r instanceof nD && r.index < 0 && a.enter(t, n, i)?.from != r.from && (e = a);
	for (;;) {
		let r = e.enter(t, n, i);
		if (!r) return e;
		e = r;
	}
}
var tD = class {
	cursor(e = 0) {
		return new uD(this, e);
	}
	getChild(e, t = null, n = null) {
		let r = rD(this, e, t, n);
		return r.length ? r[0] : null;
	}
	getChildren(e, t = null, n = null) {
		return rD(this, e, t, n);
	}
	resolve(e, t = 0) {
		return eD(this, e, t, !1);
	}
	resolveInner(e, t = 0) {
		return eD(this, e, t, !0);
	}
	matchContext(e) {
		return iD(this.parent, e);
	}
	enterUnfinishedNodesBefore(e) {
		let t = this.childBefore(e), n = this;
		for (; t;) {
			let e = t.lastChild;
			if (!e || e.to != t.to) break;
			e.type.isError && e.from == e.to ? (n = t, t = e.prevSibling) : t = e;
		}
		return n;
	}
	get node() {
		return this;
	}
	get next() {
		return this.parent;
	}
}, nD = class e extends tD {
	constructor(e, t, n, r) {
		super(), this._tree = e, this.from = t, this.index = n, this._parent = r;
	}
	get type() {
		return this._tree.type;
	}
	get name() {
		return this._tree.type.name;
	}
	get to() {
		return this.from + this._tree.length;
	}
	nextChild(t, n, r, i, a = 0) {
		for (let o = this;;) {
			for (let { children: s, positions: c } = o._tree, l = n > 0 ? s.length : -1; t != l; t += n) {
				let l = s[t], u = c[t] + o.from, d;
				if (a & YE.EnterBracketed && l instanceof XE && (d = WE.get(l)) && !d.overlay && d.bracketed && r >= u && r <= u + l.length || $E(i, r, u, u + l.length)) {
					if (l instanceof QE) {
						if (a & YE.ExcludeBuffers) continue;
						let e = l.findChild(0, l.buffer.length, n, r - u, i);
						if (e > -1) return new oD(new aD(o, l, t, u), null, e);
					} else if (a & YE.IncludeAnonymous || !l.type.isAnonymous || dD(l)) {
						let s;
						if (!(a & YE.IgnoreMounts) && (s = WE.get(l)) && !s.overlay) return new e(s.tree, u, t, o);
						let c = new e(l, u, t, o);
						return a & YE.IncludeAnonymous || !c.type.isAnonymous ? c : c.nextChild(n < 0 ? l.children.length - 1 : 0, n, r, i, a);
					}
				}
			}
			if (a & YE.IncludeAnonymous || !o.type.isAnonymous || (t = o.index >= 0 ? o.index + n : n < 0 ? -1 : o._parent._tree.children.length, o = o._parent, !o)) return null;
		}
	}
	get firstChild() {
		return this.nextChild(0, 1, 0, 4);
	}
	get lastChild() {
		return this.nextChild(this._tree.children.length - 1, -1, 0, 4);
	}
	childAfter(e) {
		return this.nextChild(0, 1, e, 2);
	}
	childBefore(e) {
		return this.nextChild(this._tree.children.length - 1, -1, e, -2);
	}
	prop(e) {
		return this._tree.prop(e);
	}
	enter(t, n, r = 0) {
		let i;
		if (!(r & YE.IgnoreOverlays) && (i = WE.get(this._tree)) && i.overlay) {
			let a = t - this.from, o = r & YE.EnterBracketed && i.bracketed;
			for (let { from: t, to: r } of i.overlay) if ((n > 0 || o ? t <= a : t < a) && (n < 0 || o ? r >= a : r > a)) return new e(i.tree, i.overlay[0].from + this.from, -1, this);
		}
		return this.nextChild(0, 1, t, n, r);
	}
	nextSignificantParent() {
		let e = this;
		for (; e.type.isAnonymous && e._parent;) e = e._parent;
		return e;
	}
	get parent() {
		return this._parent ? this._parent.nextSignificantParent() : null;
	}
	get nextSibling() {
		return this._parent && this.index >= 0 ? this._parent.nextChild(this.index + 1, 1, 0, 4) : null;
	}
	get prevSibling() {
		return this._parent && this.index >= 0 ? this._parent.nextChild(this.index - 1, -1, 0, 4) : null;
	}
	get tree() {
		return this._tree;
	}
	toTree() {
		return this._tree;
	}
	toString() {
		return this._tree.toString();
	}
};
function rD(e, t, n, r) {
	let i = e.cursor(), a = [];
	if (!i.firstChild()) return a;
	if (n != null) {
		for (let e = !1; !e;) if (e = i.type.is(n), !i.nextSibling()) return a;
	}
	for (;;) {
		if (r != null && i.type.is(r)) return a;
		if (i.type.is(t) && a.push(i.node), !i.nextSibling()) return r == null ? a : [];
	}
}
function iD(e, t, n = t.length - 1) {
	for (let r = e; n >= 0; r = r.parent) {
		if (!r) return !1;
		if (!r.type.isAnonymous) {
			if (t[n] && t[n] != r.name) return !1;
			n--;
		}
	}
	return !0;
}
var aD = class {
	constructor(e, t, n, r) {
		this.parent = e, this.buffer = t, this.index = n, this.start = r;
	}
}, oD = class e extends tD {
	get name() {
		return this.type.name;
	}
	get from() {
		return this.context.start + this.context.buffer.buffer[this.index + 1];
	}
	get to() {
		return this.context.start + this.context.buffer.buffer[this.index + 2];
	}
	constructor(e, t, n) {
		super(), this.context = e, this._parent = t, this.index = n, this.type = e.buffer.set.types[e.buffer.buffer[n]];
	}
	child(t, n, r) {
		let { buffer: i } = this.context, a = i.findChild(this.index + 4, i.buffer[this.index + 3], t, n - this.context.start, r);
		return a < 0 ? null : new e(this.context, this, a);
	}
	get firstChild() {
		return this.child(1, 0, 4);
	}
	get lastChild() {
		return this.child(-1, 0, 4);
	}
	childAfter(e) {
		return this.child(1, e, 2);
	}
	childBefore(e) {
		return this.child(-1, e, -2);
	}
	prop(e) {
		return this.type.prop(e);
	}
	enter(t, n, r = 0) {
		if (r & YE.ExcludeBuffers) return null;
		let { buffer: i } = this.context, a = i.findChild(this.index + 4, i.buffer[this.index + 3], n > 0 ? 1 : -1, t - this.context.start, n);
		return a < 0 ? null : new e(this.context, this, a);
	}
	get parent() {
		return this._parent || this.context.parent.nextSignificantParent();
	}
	externalSibling(e) {
		return this._parent ? null : this.context.parent.nextChild(this.context.index + e, e, 0, 4);
	}
	get nextSibling() {
		let { buffer: t } = this.context, n = t.buffer[this.index + 3];
		return n < (this._parent ? t.buffer[this._parent.index + 3] : t.buffer.length) ? new e(this.context, this._parent, n) : this.externalSibling(1);
	}
	get prevSibling() {
		let { buffer: t } = this.context, n = this._parent ? this._parent.index + 4 : 0;
		return this.index == n ? this.externalSibling(-1) : new e(this.context, this._parent, t.findChild(n, this.index, -1, 0, 4));
	}
	get tree() {
		return null;
	}
	toTree() {
		let e = [], t = [], { buffer: n } = this.context, r = this.index + 4, i = n.buffer[this.index + 3];
		if (i > r) {
			let a = n.buffer[this.index + 1];
			e.push(n.slice(r, i, a)), t.push(0);
		}
		return new XE(this.type, e, t, this.to - this.from);
	}
	toString() {
		return this.context.buffer.childString(this.index);
	}
};
function sD(e) {
	if (!e.length) return null;
	let t = 0, n = e[0];
	for (let r = 1; r < e.length; r++) {
		let i = e[r];
		(i.from > n.from || i.to < n.to) && (n = i, t = r);
	}
	let r = n instanceof nD && n.index < 0 ? null : n.parent, i = e.slice();
	return r ? i[t] = r : i.splice(t, 1), new cD(i, n);
}
var cD = class {
	constructor(e, t) {
		this.heads = e, this.node = t;
	}
	get next() {
		return sD(this.heads);
	}
};
function lD(e, t, n) {
	let r = e.resolveInner(t, n), i = null;
	for (let e = r instanceof nD ? r : r.context.parent; e; e = e.parent) if (e.index < 0) {
		let a = e.parent;
		(i ||= [r]).push(a.resolve(t, n)), e = a;
	} else {
		let a = WE.get(e.tree);
		if (a && a.overlay && a.overlay[0].from <= t && a.overlay[a.overlay.length - 1].to >= t) {
			let o = new nD(a.tree, a.overlay[0].from + e.from, -1, e);
			(i ||= [r]).push(eD(o, t, n, !1));
		}
	}
	return i ? sD(i) : r;
}
var uD = class {
	get name() {
		return this.type.name;
	}
	constructor(e, t = 0) {
		if (this.buffer = null, this.stack = [], this.index = 0, this.bufferNode = null, this.mode = t & ~YE.EnterBracketed, e instanceof nD) this.yieldNode(e);
		else {
			this._tree = e.context.parent, this.buffer = e.context;
			for (let t = e._parent; t; t = t._parent) this.stack.unshift(t.index);
			this.bufferNode = e, this.yieldBuf(e.index);
		}
	}
	yieldNode(e) {
		return e ? (this._tree = e, this.type = e.type, this.from = e.from, this.to = e.to, !0) : !1;
	}
	yieldBuf(e, t) {
		this.index = e;
		let { start: n, buffer: r } = this.buffer;
		return this.type = t || r.set.types[r.buffer[e]], this.from = n + r.buffer[e + 1], this.to = n + r.buffer[e + 2], !0;
	}
	yield(e) {
		return e ? e instanceof nD ? (this.buffer = null, this.yieldNode(e)) : (this.buffer = e.context, this.yieldBuf(e.index, e.type)) : !1;
	}
	toString() {
		return this.buffer ? this.buffer.buffer.childString(this.index) : this._tree.toString();
	}
	enterChild(e, t, n) {
		if (!this.buffer) return this.yield(this._tree.nextChild(e < 0 ? this._tree._tree.children.length - 1 : 0, e, t, n, this.mode));
		let { buffer: r } = this.buffer, i = r.findChild(this.index + 4, r.buffer[this.index + 3], e, t - this.buffer.start, n);
		return i < 0 ? !1 : (this.stack.push(this.index), this.yieldBuf(i));
	}
	firstChild() {
		return this.enterChild(1, 0, 4);
	}
	lastChild() {
		return this.enterChild(-1, 0, 4);
	}
	childAfter(e) {
		return this.enterChild(1, e, 2);
	}
	childBefore(e) {
		return this.enterChild(-1, e, -2);
	}
	enter(e, t, n = this.mode) {
		return this.buffer ? n & YE.ExcludeBuffers ? !1 : this.enterChild(1, e, t) : this.yield(this._tree.enter(e, t, n));
	}
	parent() {
		if (!this.buffer) return this.yieldNode(this.mode & YE.IncludeAnonymous ? this._tree._parent : this._tree.parent);
		if (this.stack.length) return this.yieldBuf(this.stack.pop());
		let e = this.mode & YE.IncludeAnonymous ? this.buffer.parent : this.buffer.parent.nextSignificantParent();
		return this.buffer = null, this.yieldNode(e);
	}
	sibling(e) {
		if (!this.buffer) return this._tree._parent ? this.yield(this._tree.index < 0 ? null : this._tree._parent.nextChild(this._tree.index + e, e, 0, 4, this.mode)) : !1;
		let { buffer: t } = this.buffer, n = this.stack.length - 1;
		if (e < 0) {
			let e = n < 0 ? 0 : this.stack[n] + 4;
			if (this.index != e) return this.yieldBuf(t.findChild(e, this.index, -1, 0, 4));
		} else {
			let e = t.buffer[this.index + 3];
			if (e < (n < 0 ? t.buffer.length : t.buffer[this.stack[n] + 3])) return this.yieldBuf(e);
		}
		return n < 0 && this.yield(this.buffer.parent.nextChild(this.buffer.index + e, e, 0, 4, this.mode));
	}
	nextSibling() {
		return this.sibling(1);
	}
	prevSibling() {
		return this.sibling(-1);
	}
	atLastNode(e) {
		let t, n, { buffer: r } = this;
		if (r) {
			if (e > 0) {
				if (this.index < r.buffer.buffer.length) return !1;
			} else for (let e = 0; e < this.index; e++) if (r.buffer.buffer[e + 3] < this.index) return !1;
			({index: t, parent: n} = r);
		} else ({index: t, _parent: n} = this._tree);
		for (; n; {index: t, _parent: n} = n) if (t > -1) for (let r = t + e, i = e < 0 ? -1 : n._tree.children.length; r != i; r += e) {
			let e = n._tree.children[r];
			if (this.mode & YE.IncludeAnonymous || e instanceof QE || !e.type.isAnonymous || dD(e)) return !1;
		}
		return !0;
	}
	move(e, t) {
		if (t && this.enterChild(e, 0, 4)) return !0;
		for (;;) {
			if (this.sibling(e)) return !0;
			if (this.atLastNode(e) || !this.parent()) return !1;
		}
	}
	next(e = !0) {
		return this.move(1, e);
	}
	prev(e = !0) {
		return this.move(-1, e);
	}
	moveTo(e, t = 0) {
		for (; (this.from == this.to || (t < 1 ? this.from >= e : this.from > e) || (t > -1 ? this.to <= e : this.to < e)) && this.parent(););
		for (; this.enterChild(1, e, t););
		return this;
	}
	get node() {
		if (!this.buffer) return this._tree;
		let e = this.bufferNode, t = null, n = 0;
		if (e && e.context == this.buffer) scan: for (let r = this.index, i = this.stack.length; i >= 0;) {
			for (let a = e; a; a = a._parent) if (a.index == r) {
				if (r == this.index) return a;
				t = a, n = i + 1;
				break scan;
			}
			r = this.stack[--i];
		}
		for (let e = n; e < this.stack.length; e++) t = new oD(this.buffer, t, this.stack[e]);
		return this.bufferNode = new oD(this.buffer, t, this.index);
	}
	get tree() {
		return this.buffer ? null : this._tree._tree;
	}
	iterate(e, t) {
		for (let n = 0;;) {
			let r = !1;
			if (this.type.isAnonymous || e(this) !== !1) {
				if (this.firstChild()) {
					n++;
					continue;
				}
				this.type.isAnonymous || (r = !0);
			}
			for (;;) {
				if (r && t && t(this), r = this.type.isAnonymous, !n) return;
				if (this.nextSibling()) break;
				this.parent(), n--, r = !0;
			}
		}
	}
	matchContext(e) {
		if (!this.buffer) return iD(this.node.parent, e);
		let { buffer: t } = this.buffer, { types: n } = t.set;
		for (let r = e.length - 1, i = this.stack.length - 1; r >= 0; i--) {
			if (i < 0) return iD(this._tree, e, r);
			let a = n[t.buffer[this.stack[i]]];
			if (!a.isAnonymous) {
				if (e[r] && e[r] != a.name) return !1;
				r--;
			}
		}
		return !0;
	}
};
function dD(e) {
	return e.children.some((e) => e instanceof QE || !e.type.isAnonymous || dD(e));
}
function fD(e) {
	let { buffer: t, nodeSet: n, maxBufferLength: r = BE, reused: i = [], minRepeatType: a = n.types.length } = e, o = Array.isArray(t) ? new ZE(t, t.length) : t, s = n.types, c = 0, l = 0;
	function u(e, t, _, v, y, b) {
		let { id: x, start: S, end: C, size: w } = o, ee = l, te = c;
		if (w < 0) {
			if (o.next(), w == -1) {
				let t = i[x];
				_.push(t), v.push(S - e);
				return;
			}
			if (w == -3) {
				c = x;
				return;
			}
			if (w == -4) {
				l = x;
				return;
			}
			throw RangeError(`Unrecognized record size: ${w}`);
		}
		let ne = s[x], re, ie, ae = S - e;
		if (C - S <= r && (ie = h(o.pos - t, y))) {
			let t = new Uint16Array(ie.size - ie.skip), r = o.pos - ie.size, i = t.length;
			for (; o.pos > r;) i = g(ie.start, t, i);
			re = new QE(t, C - ie.start, n), ae = ie.start - e;
		} else {
			let e = o.pos - w;
			o.next();
			let t = [], s = [], c = x >= a ? x : -1, h = 0, g = C, _ = ee;
			for (; o.pos > e;) c >= 0 && o.id == c && o.size >= 0 ? (o.end <= g - r && (p(t, s, S, h, o.end, g, c, _, te), h = t.length, g = o.end, _ = l), o.next()) : b > 2500 ? d(S, e, t, s) : (c >= 0 && o.size == -1 && i[o.id].type == n.types[c] && (h < t.length && p(t, s, S, h, o.end, g, c, _, te), h = t.length + 1, g = o.start, _ = l), u(S, e, t, s, c, b + 1));
			if (c >= 0 && h > 0 && h < t.length && p(t, s, S, h, S, g, c, _, te), t.reverse(), s.reverse(), c > -1 && h > 0) {
				let e = f(ne, te);
				re = hD(ne, t, s, 0, t.length, 0, C - S, e, e);
			} else re = m(ne, t, s, C - S, ee - C, te);
		}
		_.push(re), v.push(ae);
	}
	function d(e, t, i, a) {
		let s = [], c = 0, l = -1;
		for (; o.pos > t;) {
			let { id: e, start: t, end: n, size: i } = o;
			if (i > 4) o.next();
			else if (l > -1 && t < l) break;
			else l < 0 && (l = n - r), s.push(e, t, n), c++, o.next();
		}
		if (c) {
			let t = new Uint16Array(c * 4), r = s[s.length - 2];
			for (let e = s.length - 3, n = 0; e >= 0; e -= 3) t[n++] = s[e], t[n++] = s[e + 1] - r, t[n++] = s[e + 2] - r, t[n++] = n;
			i.push(new QE(t, s[2] - r, n)), a.push(r - e);
		}
	}
	function f(e, t) {
		return (n, r, i) => {
			let a = 0, o = n.length - 1, s, c;
			if (o >= 0 && (s = n[o]) instanceof XE) {
				if (!o && s.type == e && s.length == i) return s;
				(c = s.prop(UE.lookAhead)) && (a = r[o] + s.length + c - i);
			}
			return m(e, n, r, i, a, t);
		};
	}
	function p(e, t, r, i, a, o, s, c, l) {
		let u = [], d = [];
		for (; e.length > i;) u.push(e.pop()), d.push(t.pop() + r - a);
		e.push(m(n.types[s], u, d, o - a, c - o, l)), t.push(a - r);
	}
	function m(e, t, n, r, i, a, o) {
		if (a) {
			let e = [UE.contextHash, a];
			o = o ? [e].concat(o) : [e];
		}
		if (i > 25) {
			let e = [UE.lookAhead, i];
			o = o ? [e].concat(o) : [e];
		}
		return new XE(e, t, n, r, o);
	}
	function h(e, t) {
		let n = o.fork(), i = 0, s = 0, c = 0, l = n.end - r, u = {
			size: 0,
			start: 0,
			skip: 0
		};
		scan: for (let r = n.pos - e; n.pos > r;) {
			let e = n.size;
			if (n.id == t && e >= 0) {
				u.size = i, u.start = s, u.skip = c, c += 4, i += 4, n.next();
				continue;
			}
			let o = n.pos - e;
			if (e < 0 || o < r || n.start < l) break;
			let d = n.id >= a ? 4 : 0, f = n.start;
			for (n.next(); n.pos > o;) {
				if (n.size < 0) {
					if (n.size == -3 || n.size == -4) d += 4;
					else break scan;
				} else n.id >= a && (d += 4);
				n.next();
			}
			s = f, i += e, c += d;
		}
		return (t < 0 || i == e) && (u.size = i, u.start = s, u.skip = c), u.size > 4 ? u : void 0;
	}
	function g(e, t, n) {
		let { id: r, start: i, end: s, size: u } = o;
		if (o.next(), u >= 0 && r < a) {
			let a = n;
			if (u > 4) {
				let r = o.pos - (u - 4);
				for (; o.pos > r;) n = g(e, t, n);
			}
			t[--n] = a, t[--n] = s - e, t[--n] = i - e, t[--n] = r;
		} else u == -3 ? c = r : u == -4 && (l = r);
		return n;
	}
	let _ = [], v = [];
	for (; o.pos > 0;) u(e.start || 0, e.bufferStart || 0, _, v, -1, 0);
	let y = e.length ?? (_.length ? v[0] + _[0].length : 0);
	return new XE(s[e.topID], _.reverse(), v.reverse(), y);
}
var pD = /* @__PURE__ */ new WeakMap();
function mD(e, t) {
	if (!e.isAnonymous || t instanceof QE || t.type != e) return 1;
	let n = pD.get(t);
	if (n == null) {
		n = 1;
		for (let r of t.children) {
			if (r.type != e || !(r instanceof XE)) {
				n = 1;
				break;
			}
			n += mD(e, r);
		}
		pD.set(t, n);
	}
	return n;
}
function hD(e, t, n, r, i, a, o, s, c) {
	let l = 0;
	for (let n = r; n < i; n++) l += mD(e, t[n]);
	let u = Math.ceil(l * 1.5 / 8), d = [], f = [];
	function p(t, n, r, i, o) {
		for (let s = r; s < i;) {
			let r = s, l = n[s], m = mD(e, t[s]);
			for (s++; s < i; s++) {
				let n = mD(e, t[s]);
				if (m + n >= u) break;
				m += n;
			}
			if (s == r + 1) {
				if (m > u) {
					let e = t[r];
					p(e.children, e.positions, 0, e.children.length, n[r] + o);
					continue;
				}
				d.push(t[r]);
			} else {
				let i = n[s - 1] + t[s - 1].length - l;
				d.push(hD(e, t, n, r, s, l, i, null, c));
			}
			f.push(l + o - a);
		}
	}
	return p(t, n, r, i, 0), (s || c)(d, f, o);
}
var gD = class e {
	constructor(e, t, n, r, i = !1, a = !1) {
		this.from = e, this.to = t, this.tree = n, this.offset = r, this.open = !!i | (a ? 2 : 0);
	}
	get openStart() {
		return (this.open & 1) > 0;
	}
	get openEnd() {
		return (this.open & 2) > 0;
	}
	static addTree(t, n = [], r = !1) {
		let i = [new e(0, t.length, t, 0, !1, r)];
		for (let e of n) e.to > t.length && i.push(e);
		return i;
	}
	static applyChanges(t, n, r = 128) {
		if (!n.length) return t;
		let i = [], a = 1, o = t.length ? t[0] : null;
		for (let s = 0, c = 0, l = 0;; s++) {
			let u = s < n.length ? n[s] : null, d = u ? u.fromA : 1e9;
			if (d - c >= r) for (; o && o.from < d;) {
				let n = o;
				if (c >= n.from || d <= n.to || l) {
					let t = Math.max(n.from, c) - l, r = Math.min(n.to, d) - l;
					n = t >= r ? null : new e(t, r, n.tree, n.offset + l, s > 0, !!u);
				}
				if (n && i.push(n), o.to > d) break;
				o = a < t.length ? t[a++] : null;
			}
			if (!u) break;
			c = u.toA, l = u.toA - u.toB;
		}
		return i;
	}
}, _D = class {
	startParse(e, t, n) {
		return typeof e == "string" && (e = new vD(e)), n = n ? n.length ? n.map((e) => new HE(e.from, e.to)) : [new HE(0, 0)] : [new HE(0, e.length)], this.createParse(e, t || [], n);
	}
	parse(e, t, n) {
		let r = this.startParse(e, t, n);
		for (;;) {
			let e = r.advance();
			if (e) return e;
		}
	}
}, vD = class {
	constructor(e) {
		this.string = e;
	}
	get length() {
		return this.string.length;
	}
	chunk(e) {
		return this.string.slice(e);
	}
	get lineChunks() {
		return !1;
	}
	read(e, t) {
		return this.string.slice(e, t);
	}
};
new UE({ perNode: !0 });
// node_modules/@lezer/highlight/dist/index.js
var yD = 0, bD = class e {
	constructor(e, t, n, r) {
		this.name = e, this.set = t, this.base = n, this.modified = r, this.id = yD++;
	}
	toString() {
		let { name: e } = this;
		for (let t of this.modified) t.name && (e = `${t.name}(${e})`);
		return e;
	}
	static define(t, n) {
		let r = typeof t == "string" ? t : "?";
		if (t instanceof e && (n = t), n?.base) throw Error("Can not derive from a modified tag");
		let i = new e(r, [], null, []);
		if (i.set.push(i), n) for (let e of n.set) i.set.push(e);
		return i;
	}
	static defineModifier(e) {
		let t = new SD(e);
		return (e) => e.modified.indexOf(t) > -1 ? e : SD.get(e.base || e, e.modified.concat(t).sort((e, t) => e.id - t.id));
	}
}, xD = 0, SD = class e {
	constructor(e) {
		this.name = e, this.instances = [], this.id = xD++;
	}
	static get(t, n) {
		if (!n.length) return t;
		let r = n[0].instances.find((e) => e.base == t && CD(n, e.modified));
		if (r) return r;
		let i = [], a = new bD(t.name, i, t, n);
		for (let e of n) e.instances.push(a);
		let o = wD(n);
		for (let n of t.set) if (!n.modified.length) for (let t of o) i.push(e.get(n, t));
		return a;
	}
};
function CD(e, t) {
	return e.length == t.length && e.every((e, n) => e == t[n]);
}
function wD(e) {
	let t = [[]];
	for (let n = 0; n < e.length; n++) for (let r = 0, i = t.length; r < i; r++) t.push(t[r].concat(e[n]));
	return t.sort((e, t) => t.length - e.length);
}
function TD(e) {
	let t = Object.create(null);
	for (let n in e) {
		let r = e[n];
		Array.isArray(r) || (r = [r]);
		for (let e of n.split(" ")) if (e) {
			let n = [], i = 2, a = e;
			for (let t = 0;;) {
				if (a == "..." && t > 0 && t + 3 == e.length) {
					i = 1;
					break;
				}
				let r = /^"(?:[^"\\]|\\.)*?"|[^\/!]+/.exec(a);
				if (!r) throw RangeError("Invalid path: " + e);
				if (n.push(r[0] == "*" ? "" : r[0][0] == "\"" ? JSON.parse(r[0]) : r[0]), t += r[0].length, t == e.length) break;
				let o = e[t++];
				if (t == e.length && o == "!") {
					i = 0;
					break;
				}
				if (o != "/") throw RangeError("Invalid path: " + e);
				a = e.slice(t);
			}
			let o = n.length - 1, s = n[o];
			if (!s) throw RangeError("Invalid path: " + e);
			t[s] = new DD(r, i, o > 0 ? n.slice(0, o) : null).sort(t[s]);
		}
	}
	return ED.add(t);
}
var ED = new UE({ combine(e, t) {
	let n, r, i;
	for (; e || t;) {
		if (!e || t && e.depth <= t.depth ? (i = t, t = t.next) : (i = e, e = e.next), n && n.mode == i.mode && !i.context && !n.context) continue;
		let a = new DD(i.tags, i.mode, i.context);
		n ? n.next = a : r = a, n = a;
	}
	return r;
} }), DD = class {
	constructor(e, t, n, r) {
		this.tags = e, this.mode = t, this.context = n, this.next = r;
	}
	get opaque() {
		return this.mode == 0;
	}
	get inherit() {
		return this.mode == 1;
	}
	sort(e) {
		return !e || e.depth < this.depth ? (this.next = e, this) : (e.next = this.sort(e.next), e);
	}
	get depth() {
		return this.context ? this.context.length : 0;
	}
};
DD.empty = new DD([], 2, null);
function OD(e, t) {
	let n = Object.create(null);
	for (let t of e) if (!Array.isArray(t.tag)) n[t.tag.id] = t.class;
	else for (let e of t.tag) n[e.id] = t.class;
	let { scope: r, all: i = null } = t || {};
	return {
		style: (e) => {
			let t = i;
			for (let r of e) for (let e of r.set) {
				let r = n[e.id];
				if (r) {
					t = t ? t + " " + r : r;
					break;
				}
			}
			return t;
		},
		scope: r
	};
}
var Q = bD.define, kD = Q(), AD = Q(), jD = Q(AD), MD = Q(AD), ND = Q(), PD = Q(ND), FD = Q(ND), ID = Q(), LD = Q(ID), RD = Q(), zD = Q(), BD = Q(), VD = Q(BD), HD = Q(), $ = {
	comment: kD,
	lineComment: Q(kD),
	blockComment: Q(kD),
	docComment: Q(kD),
	name: AD,
	variableName: Q(AD),
	typeName: jD,
	tagName: Q(jD),
	propertyName: MD,
	attributeName: Q(MD),
	className: Q(AD),
	labelName: Q(AD),
	namespace: Q(AD),
	macroName: Q(AD),
	literal: ND,
	string: PD,
	docString: Q(PD),
	character: Q(PD),
	attributeValue: Q(PD),
	number: FD,
	integer: Q(FD),
	float: Q(FD),
	bool: Q(ND),
	regexp: Q(ND),
	escape: Q(ND),
	color: Q(ND),
	url: Q(ND),
	keyword: RD,
	self: Q(RD),
	null: Q(RD),
	atom: Q(RD),
	unit: Q(RD),
	modifier: Q(RD),
	operatorKeyword: Q(RD),
	controlKeyword: Q(RD),
	definitionKeyword: Q(RD),
	moduleKeyword: Q(RD),
	operator: zD,
	derefOperator: Q(zD),
	arithmeticOperator: Q(zD),
	logicOperator: Q(zD),
	bitwiseOperator: Q(zD),
	compareOperator: Q(zD),
	updateOperator: Q(zD),
	definitionOperator: Q(zD),
	typeOperator: Q(zD),
	controlOperator: Q(zD),
	punctuation: BD,
	separator: Q(BD),
	bracket: VD,
	angleBracket: Q(VD),
	squareBracket: Q(VD),
	paren: Q(VD),
	brace: Q(VD),
	content: ID,
	heading: LD,
	heading1: Q(LD),
	heading2: Q(LD),
	heading3: Q(LD),
	heading4: Q(LD),
	heading5: Q(LD),
	heading6: Q(LD),
	contentSeparator: Q(ID),
	list: Q(ID),
	quote: Q(ID),
	emphasis: Q(ID),
	strong: Q(ID),
	link: Q(ID),
	monospace: Q(ID),
	strikethrough: Q(ID),
	inserted: Q(),
	deleted: Q(),
	changed: Q(),
	invalid: Q(),
	meta: HD,
	documentMeta: Q(HD),
	annotation: Q(HD),
	processingInstruction: Q(HD),
	definition: bD.defineModifier("definition"),
	constant: bD.defineModifier("constant"),
	function: bD.defineModifier("function"),
	standard: bD.defineModifier("standard"),
	local: bD.defineModifier("local"),
	special: bD.defineModifier("special")
};
for (let e in $) {
	let t = $[e];
	t instanceof bD && (t.name = e);
}
OD([
	{
		tag: $.link,
		class: "tok-link"
	},
	{
		tag: $.heading,
		class: "tok-heading"
	},
	{
		tag: $.emphasis,
		class: "tok-emphasis"
	},
	{
		tag: $.strong,
		class: "tok-strong"
	},
	{
		tag: $.keyword,
		class: "tok-keyword"
	},
	{
		tag: $.atom,
		class: "tok-atom"
	},
	{
		tag: $.bool,
		class: "tok-bool"
	},
	{
		tag: $.url,
		class: "tok-url"
	},
	{
		tag: $.labelName,
		class: "tok-labelName"
	},
	{
		tag: $.inserted,
		class: "tok-inserted"
	},
	{
		tag: $.deleted,
		class: "tok-deleted"
	},
	{
		tag: $.literal,
		class: "tok-literal"
	},
	{
		tag: $.string,
		class: "tok-string"
	},
	{
		tag: $.number,
		class: "tok-number"
	},
	{
		tag: [
			$.regexp,
			$.escape,
			$.special($.string)
		],
		class: "tok-string2"
	},
	{
		tag: $.variableName,
		class: "tok-variableName"
	},
	{
		tag: $.local($.variableName),
		class: "tok-variableName tok-local"
	},
	{
		tag: $.definition($.variableName),
		class: "tok-variableName tok-definition"
	},
	{
		tag: $.special($.variableName),
		class: "tok-variableName2"
	},
	{
		tag: $.definition($.propertyName),
		class: "tok-propertyName tok-definition"
	},
	{
		tag: $.typeName,
		class: "tok-typeName"
	},
	{
		tag: $.namespace,
		class: "tok-namespace"
	},
	{
		tag: $.className,
		class: "tok-className"
	},
	{
		tag: $.macroName,
		class: "tok-macroName"
	},
	{
		tag: $.propertyName,
		class: "tok-propertyName"
	},
	{
		tag: $.operator,
		class: "tok-operator"
	},
	{
		tag: $.comment,
		class: "tok-comment"
	},
	{
		tag: $.meta,
		class: "tok-meta"
	},
	{
		tag: $.invalid,
		class: "tok-invalid"
	},
	{
		tag: $.punctuation,
		class: "tok-punctuation"
	}
]);
// node_modules/@codemirror/language/dist/index.js
var UD = /*@__PURE__*/ new UE(), WD = /*@__PURE__*/ new UE(), GD = class {
	constructor(e, t, n = [], r = "") {
		this.data = e, this.name = r, cb.prototype.hasOwnProperty("tree") || Object.defineProperty(cb.prototype, "tree", { get() {
			return qD(this);
		} }), this.parser = t, this.extension = [nO.of(this), cb.languageData.of((e, t, n) => {
			let r = KD(e, t, n), i = r.type.prop(UD);
			if (!i) return [];
			let a = e.facet(i), o = r.type.prop(WD);
			if (o) {
				let i = r.resolve(t - r.from, n);
				for (let t of o) if (t.test(i, e)) {
					let n = e.facet(t.facet);
					return t.type == "replace" ? n : n.concat(a);
				}
			}
			return a;
		})].concat(n);
	}
	isActiveAt(e, t, n = -1) {
		return KD(e, t, n).type.prop(UD) == this.data;
	}
	findRegions(e) {
		let t = e.facet(nO);
		if (t?.data == this.data) return [{
			from: 0,
			to: e.doc.length
		}];
		if (!t || !t.allowsNesting) return [];
		let n = [], r = (e, t) => {
			if (e.prop(UD) == this.data) {
				n.push({
					from: t,
					to: t + e.length
				});
				return;
			}
			let i = e.prop(UE.mounted);
			if (i) {
				if (i.tree.prop(UD) == this.data) {
					if (i.overlay) for (let e of i.overlay) n.push({
						from: e.from + t,
						to: e.to + t
					});
					else n.push({
						from: t,
						to: t + e.length
					});
					return;
				}
				if (i.overlay) {
					let e = n.length;
					if (r(i.tree, i.overlay[0].from + t), n.length > e) return;
				}
			}
			for (let n = 0; n < e.children.length; n++) {
				let i = e.children[n];
				i instanceof XE && r(i, e.positions[n] + t);
			}
		};
		return r(qD(e), 0), n;
	}
	get allowsNesting() {
		return !0;
	}
};
GD.setState = /*@__PURE__*/ qy.define();
function KD(e, t, n) {
	let r = e.facet(nO), i = qD(e).topNode;
	if (!r || r.allowsNesting) for (let e = i; e; e = e.enter(t, n, YE.ExcludeBuffers | YE.EnterBracketed)) e.type.isTop && (i = e);
	return i;
}
function qD(e) {
	let t = e.field(GD.state, !1);
	return t ? t.tree : XE.empty;
}
var JD = class {
	constructor(e) {
		this.doc = e, this.cursorPos = 0, this.string = "", this.cursor = e.iter();
	}
	get length() {
		return this.doc.length;
	}
	syncTo(e) {
		return this.string = this.cursor.next(e - this.cursorPos).value, this.cursorPos = e + this.string.length, this.cursorPos - this.string.length;
	}
	chunk(e) {
		return this.syncTo(e), this.string;
	}
	get lineChunks() {
		return !0;
	}
	read(e, t) {
		let n = this.cursorPos - this.string.length;
		return e < n || t >= this.cursorPos ? this.doc.sliceString(e, t) : this.string.slice(e - n, t - n);
	}
}, YD = null, XD = class e {
	constructor(e, t, n = [], r, i, a, o, s) {
		this.parser = e, this.state = t, this.fragments = n, this.tree = r, this.treeLen = i, this.viewport = a, this.skipped = o, this.scheduleOn = s, this.parse = null, this.tempSkipped = [];
	}
	static create(t, n, r) {
		return new e(t, n, [], XE.empty, 0, r, [], null);
	}
	startParse() {
		return this.parser.startParse(new JD(this.state.doc), this.fragments);
	}
	work(e, t) {
		return t != null && t >= this.state.doc.length && (t = void 0), this.tree != XE.empty && this.isDone(t ?? this.state.doc.length) ? (this.takeTree(), !0) : this.withContext(() => {
			if (typeof e == "number") {
				let t = Date.now() + e;
				e = () => Date.now() > t;
			}
			for (this.parse ||= this.startParse(), t != null && (this.parse.stoppedAt == null || this.parse.stoppedAt > t) && t < this.state.doc.length && this.parse.stopAt(t);;) {
				let n = this.parse.advance();
				if (n) {
					if (this.fragments = this.withoutTempSkipped(gD.addTree(n, this.fragments, this.parse.stoppedAt != null)), this.treeLen = this.parse.stoppedAt ?? this.state.doc.length, this.tree = n, this.parse = null, this.treeLen < (t ?? this.state.doc.length)) this.parse = this.startParse();
					else return !0;
				}
				if (e()) return !1;
			}
		});
	}
	takeTree() {
		let e, t;
		this.parse && (e = this.parse.parsedPos) >= this.treeLen && ((this.parse.stoppedAt == null || this.parse.stoppedAt > e) && this.parse.stopAt(e), this.withContext(() => {
			for (; !(t = this.parse.advance()););
		}), this.treeLen = e, this.tree = t, this.fragments = this.withoutTempSkipped(gD.addTree(this.tree, this.fragments, !0)), this.parse = null);
	}
	withContext(e) {
		let t = YD;
		YD = this;
		try {
			return e();
		} finally {
			YD = t;
		}
	}
	withoutTempSkipped(e) {
		for (let t; t = this.tempSkipped.pop();) e = ZD(e, t.from, t.to);
		return e;
	}
	changes(t, n) {
		let { fragments: r, tree: i, treeLen: a, viewport: o, skipped: s } = this;
		if (this.takeTree(), !t.empty) {
			let e = [];
			if (t.iterChangedRanges((t, n, r, i) => e.push({
				fromA: t,
				toA: n,
				fromB: r,
				toB: i
			})), r = gD.applyChanges(r, e), i = XE.empty, a = 0, o = {
				from: t.mapPos(o.from, -1),
				to: t.mapPos(o.to, 1)
			}, this.skipped.length) {
				s = [];
				for (let e of this.skipped) {
					let n = t.mapPos(e.from, 1), r = t.mapPos(e.to, -1);
					n < r && s.push({
						from: n,
						to: r
					});
				}
			}
		}
		return new e(this.parser, n, r, i, a, o, s, this.scheduleOn);
	}
	updateViewport(e) {
		if (this.viewport.from == e.from && this.viewport.to == e.to) return !1;
		this.viewport = e;
		let t = this.skipped.length;
		for (let t = 0; t < this.skipped.length; t++) {
			let { from: n, to: r } = this.skipped[t];
			n < e.to && r > e.from && (this.fragments = ZD(this.fragments, n, r), this.skipped.splice(t--, 1));
		}
		return this.skipped.length >= t ? !1 : (this.reset(), !0);
	}
	reset() {
		this.parse &&= (this.takeTree(), null);
	}
	skipUntilInView(e, t) {
		this.skipped.push({
			from: e,
			to: t
		});
	}
	static getSkippingParser(e) {
		return new class extends _D {
			createParse(t, n, r) {
				let i = r[0].from, a = r[r.length - 1].to;
				return {
					parsedPos: i,
					advance() {
						let t = YD;
						if (t) {
							for (let e of r) t.tempSkipped.push(e);
							e && (t.scheduleOn = t.scheduleOn ? Promise.all([t.scheduleOn, e]) : e);
						}
						return this.parsedPos = a, new XE(KE.none, [], [], a - i);
					},
					stoppedAt: null,
					stopAt() {}
				};
			}
		}();
	}
	isDone(e) {
		e = Math.min(e, this.state.doc.length);
		let t = this.fragments;
		return this.treeLen >= e && t.length && t[0].from == 0 && t[0].to >= e;
	}
	static get() {
		return YD;
	}
};
function ZD(e, t, n) {
	return gD.applyChanges(e, [{
		fromA: t,
		toA: n,
		fromB: t,
		toB: n
	}]);
}
var QD = class e {
	constructor(e) {
		this.context = e, this.tree = e.tree;
	}
	apply(t) {
		if (!t.docChanged && this.tree == this.context.tree) return this;
		let n = this.context.changes(t.changes, t.state), r = this.context.treeLen == t.startState.doc.length ? void 0 : Math.max(t.changes.mapPos(this.context.treeLen), n.viewport.to);
		return n.work(20, r) || n.takeTree(), new e(n);
	}
	static init(t) {
		let n = Math.min(3e3, t.doc.length), r = XD.create(t.facet(nO).parser, t, {
			from: 0,
			to: n
		});
		return r.work(20, n) || r.takeTree(), new e(r);
	}
};
GD.state = /*@__PURE__*/ Ey.define({
	create: QD.init,
	update(e, t) {
		for (let e of t.effects) if (e.is(GD.setState)) return e.value;
		return t.startState.facet(nO) == t.state.facet(nO) ? e.apply(t) : QD.init(t.state);
	}
});
var $D = (e) => {
	let t = setTimeout(() => e(), 500);
	return () => clearTimeout(t);
};
typeof requestIdleCallback < "u" && ($D = (e) => {
	let t = -1, n = setTimeout(() => {
		t = requestIdleCallback(e, { timeout: 400 });
	}, 100);
	return () => t < 0 ? clearTimeout(n) : cancelIdleCallback(t);
});
var eO = typeof navigator < "u" && navigator.scheduling?.isInputPending ? () => navigator.scheduling.isInputPending() : null, tO = /*@__PURE__*/ RS.fromClass(class {
	constructor(e) {
		this.view = e, this.working = null, this.workScheduled = 0, this.chunkEnd = -1, this.chunkBudget = -1, this.work = this.work.bind(this), this.scheduleWork();
	}
	update(e) {
		let t = this.view.state.field(GD.state).context;
		(t.updateViewport(e.view.viewport) || this.view.viewport.to > t.treeLen) && this.scheduleWork(), (e.docChanged || e.selectionSet) && (this.view.hasFocus && (this.chunkBudget += 50), this.scheduleWork()), this.checkAsyncSchedule(t);
	}
	scheduleWork() {
		if (this.working) return;
		let { state: e } = this.view, t = e.field(GD.state);
		t.tree == t.context.tree && t.context.isDone(e.doc.length) || (this.working = $D(this.work));
	}
	work(e) {
		this.working = null;
		let t = Date.now();
		if (this.chunkEnd < t && (this.chunkEnd < 0 || this.view.hasFocus) && (this.chunkEnd = t + 3e4, this.chunkBudget = 3e3), this.chunkBudget <= 0) return;
		let { state: n, viewport: { to: r } } = this.view, i = n.field(GD.state);
		if (i.tree == i.context.tree && i.context.isDone(r + 1e5)) return;
		let a = Date.now() + Math.min(this.chunkBudget, 100, e && !eO ? Math.max(25, e.timeRemaining() - 5) : 1e9), o = i.context.treeLen < r && n.doc.length > r + 1e3, s = i.context.work(() => eO && eO() || Date.now() > a, r + (o ? 0 : 1e5));
		this.chunkBudget -= Date.now() - t, (s || this.chunkBudget <= 0) && (i.context.takeTree(), this.view.dispatch({ effects: GD.setState.of(new QD(i.context)) })), this.chunkBudget > 0 && (!s || o) && this.scheduleWork(), this.checkAsyncSchedule(i.context);
	}
	checkAsyncSchedule(e) {
		e.scheduleOn &&= (this.workScheduled++, e.scheduleOn.then(() => this.scheduleWork()).catch((e) => PS(this.view.state, e)).then(() => this.workScheduled--), null);
	}
	destroy() {
		this.working && this.working();
	}
	isWorking() {
		return !!(this.working || this.workScheduled > 0);
	}
}, { eventHandlers: { focus() {
	this.scheduleWork();
} } }), nO = /*@__PURE__*/ Y.define({
	combine(e) {
		return e.length ? e[0] : null;
	},
	enables: (e) => [
		GD.state,
		tO,
		Z.contentAttributes.compute([e], (t) => {
			let n = t.facet(e);
			return n && n.name ? { "data-language": n.name } : {};
		})
	]
}), rO = /*@__PURE__*/ Y.define(), iO = /*@__PURE__*/ Y.define({ combine: (e) => {
	if (!e.length) return "  ";
	let t = e[0];
	if (!t || /\S/.test(t) || Array.from(t).some((e) => e != t[0])) throw Error("Invalid indent unit: " + JSON.stringify(e[0]));
	return t;
} });
function aO(e) {
	let t = e.facet(iO);
	return t.charCodeAt(0) == 9 ? e.tabSize * t.length : t.length;
}
function oO(e, t) {
	let n = "", r = e.tabSize, i = e.facet(iO)[0];
	if (i == "	") {
		for (; t >= r;) n += "	", t -= r;
		i = " ";
	}
	for (let e = 0; e < t; e++) n += i;
	return n;
}
function sO(e, t) {
	e instanceof cb && (e = new cO(e));
	for (let n of e.state.facet(rO)) {
		let r = n(e, t);
		if (r !== void 0) return r;
	}
	let n = qD(e.state);
	return n.length >= t ? uO(e, n, t) : null;
}
var cO = class {
	constructor(e, t = {}) {
		this.state = e, this.options = t, this.unit = aO(e);
	}
	lineAt(e, t = 1) {
		let n = this.state.doc.lineAt(e), { simulateBreak: r, simulateDoubleBreak: i } = this.options;
		return r != null && r >= n.from && r <= n.to ? i && r == e ? {
			text: "",
			from: e
		} : (t < 0 ? r < e : r <= e) ? {
			text: n.text.slice(r - n.from),
			from: r
		} : {
			text: n.text.slice(0, r - n.from),
			from: n.from
		} : n;
	}
	textAfterPos(e, t = 1) {
		if (this.options.simulateDoubleBreak && e == this.options.simulateBreak) return "";
		let { text: n, from: r } = this.lineAt(e, t);
		return n.slice(e - r, Math.min(n.length, e + 100 - r));
	}
	column(e, t = 1) {
		let { text: n, from: r } = this.lineAt(e, t), i = this.countColumn(n, e - r), a = this.options.overrideIndentation ? this.options.overrideIndentation(r) : -1;
		return a > -1 && (i += a - this.countColumn(n, n.search(/\S|$/))), i;
	}
	countColumn(e, t = e.length) {
		return kb(e, this.state.tabSize, t);
	}
	lineIndent(e, t = 1) {
		let { text: n, from: r } = this.lineAt(e, t), i = this.options.overrideIndentation;
		if (i) {
			let e = i(r);
			if (e > -1) return e;
		}
		return this.countColumn(n, n.search(/\S|$/));
	}
	get simulatedBreak() {
		return this.options.simulateBreak || null;
	}
}, lO = /*@__PURE__*/ new UE();
function uO(e, t, n) {
	let r = t.resolveStack(n), i = t.resolveInner(n, -1).resolve(n, 0).enterUnfinishedNodesBefore(n);
	if (i != r.node) {
		let e = [];
		for (let t = i; t && !(t.from < r.node.from || t.to > r.node.to || t.from == r.node.from && t.type == r.node.type); t = t.parent) e.push(t);
		for (let t = e.length - 1; t >= 0; t--) r = {
			node: e[t],
			next: r
		};
	}
	return dO(r, e, n);
}
function dO(e, t, n) {
	for (let r = e; r; r = r.next) {
		let e = pO(r.node);
		if (e) return e(hO.create(t, n, r));
	}
	return 0;
}
function fO(e) {
	return e.pos == e.options.simulateBreak && e.options.simulateDoubleBreak;
}
function pO(e) {
	let t = e.type.prop(lO);
	if (t) return t;
	let n = e.firstChild, r;
	if (n && (r = n.type.prop(UE.closedBy))) {
		let t = e.lastChild, n = t && r.indexOf(t.name) > -1;
		return (e) => vO(e, !0, 1, void 0, n && !fO(e) ? t.from : void 0);
	}
	return e.parent == null ? mO : null;
}
function mO() {
	return 0;
}
var hO = class e extends cO {
	constructor(e, t, n) {
		super(e.state, e.options), this.base = e, this.pos = t, this.context = n;
	}
	get node() {
		return this.context.node;
	}
	static create(t, n, r) {
		return new e(t, n, r);
	}
	get textAfter() {
		return this.textAfterPos(this.pos);
	}
	get baseIndent() {
		return this.baseIndentFor(this.node);
	}
	baseIndentFor(e) {
		let t = this.state.doc.lineAt(e.from);
		for (;;) {
			let n = e.resolve(t.from);
			for (; n.parent && n.parent.from == n.from;) n = n.parent;
			if (gO(n, e)) break;
			t = this.state.doc.lineAt(n.from);
		}
		return this.lineIndent(t.from);
	}
	continue() {
		return dO(this.context.next, this.base, this.pos);
	}
};
function gO(e, t) {
	for (let n = t; n; n = n.parent) if (e == n) return !0;
	return !1;
}
function _O(e) {
	let t = e.node, n = t.childAfter(t.from), r = t.lastChild;
	if (!n) return null;
	let i = e.options.simulateBreak, a = e.state.doc.lineAt(n.from), o = i == null || i <= a.from ? a.to : Math.min(a.to, i);
	for (let e = n.to;;) {
		let i = t.childAfter(e);
		if (!i || i == r) return null;
		if (!i.type.isSkipped) {
			if (i.from >= o) return null;
			let e = /^ */.exec(a.text.slice(n.to - a.from))[0].length;
			return {
				from: n.from,
				to: n.to + e
			};
		}
		e = i.to;
	}
}
function vO(e, t, n, r, i) {
	let a = e.textAfter, o = a.match(/^\s*/)[0].length, s = r && a.slice(o, o + r.length) == r || i == e.pos + o, c = t ? _O(e) : null;
	return c ? s ? e.column(c.from) : e.column(c.to) : e.baseIndent + (s ? 0 : e.unit * n);
}
$.meta, $.link, $.heading, $.emphasis, $.strong, $.strikethrough, $.keyword, $.atom, $.bool, $.url, $.contentSeparator, $.labelName, $.literal, $.inserted, $.string, $.deleted, $.regexp, $.escape, $.string, $.variableName, $.variableName, $.typeName, $.namespace, $.className, $.variableName, $.macroName, $.propertyName, $.comment, $.invalid;
var yO = 1e4, bO = "()[]{}", xO = /*@__PURE__*/ new UE();
function SO(e, t, n) {
	let r = e.prop(t < 0 ? UE.openedBy : UE.closedBy);
	if (r) return r;
	if (e.name.length == 1) {
		let r = n.indexOf(e.name);
		if (r > -1 && r % 2 == +(t < 0)) return [n[r + t]];
	}
	return null;
}
function CO(e) {
	let t = e.type.prop(xO);
	return t ? t(e.node) : e;
}
function wO(e, t, n, r = {}) {
	let i = r.maxScanDistance || yO, a = r.brackets || bO, o = qD(e), s = o.resolveInner(t, n);
	for (let r = s; r; r = r.parent) {
		let i = SO(r.type, n, a);
		if (i && r.from < r.to) {
			let o = CO(r);
			if (o && (n > 0 ? t >= o.from && t < o.to : t > o.from && t <= o.to)) return TO(e, t, n, r, o, i, a);
		}
	}
	return EO(e, t, n, o, s.type, i, a);
}
function TO(e, t, n, r, i, a, o) {
	let s = r.parent, c = {
		from: i.from,
		to: i.to
	}, l = 0, u = s?.cursor();
	if (u && (n < 0 ? u.childBefore(r.from) : u.childAfter(r.to))) do
		if (n < 0 ? u.to <= r.from : u.from >= r.to) {
			if (l == 0 && a.indexOf(u.type.name) > -1 && u.from < u.to) {
				let e = CO(u);
				return {
					start: c,
					end: e ? {
						from: e.from,
						to: e.to
					} : void 0,
					matched: !0
				};
			}
			if (SO(u.type, n, o)) l++;
			else if (SO(u.type, -n, o)) {
				if (l == 0) {
					let e = CO(u);
					return {
						start: c,
						end: e && e.from < e.to ? {
							from: e.from,
							to: e.to
						} : void 0,
						matched: !1
					};
				}
				l--;
			}
		}
	while (n < 0 ? u.prevSibling() : u.nextSibling());
	return {
		start: c,
		matched: !1
	};
}
function EO(e, t, n, r, i, a, o) {
	if (n < 0 ? !t : t == e.doc.length) return null;
	let s = n < 0 ? e.sliceDoc(t - 1, t) : e.sliceDoc(t, t + 1), c = o.indexOf(s);
	if (c < 0 || c % 2 == 0 != n > 0) return null;
	let l = {
		from: n < 0 ? t - 1 : t,
		to: n > 0 ? t + 1 : t
	}, u = e.doc.iterRange(t, n > 0 ? e.doc.length : 0), d = 0;
	for (let e = 0; !u.next().done && e <= a;) {
		let a = u.value;
		n < 0 && (e += a.length);
		let s = t + e * n;
		for (let e = n > 0 ? 0 : a.length - 1, t = n > 0 ? a.length : -1; e != t; e += n) {
			let t = o.indexOf(a[e]);
			if (!(t < 0 || r.resolveInner(s + e, 1).type != i)) {
				if (t % 2 == 0 == n > 0) d++;
				else if (d == 1) return {
					start: l,
					end: {
						from: s + e,
						to: s + e + 1
					},
					matched: t >> 1 == c >> 1
				};
				else d--;
			}
		}
		n > 0 && (e += a.length);
	}
	return u.done ? {
		start: l,
		matched: !1
	} : null;
}
var DO = /*@__PURE__*/ Object.create(null), OO = [KE.none], kO = [], AO = /*@__PURE__*/ Object.create(null), jO = /*@__PURE__*/ Object.create(null);
for (let [e, t] of [
	["variable", "variableName"],
	["variable-2", "variableName.special"],
	["string-2", "string.special"],
	["def", "variableName.definition"],
	["tag", "tagName"],
	["attribute", "attributeName"],
	["type", "typeName"],
	["builtin", "variableName.standard"],
	["qualifier", "modifier"],
	["error", "invalid"],
	["header", "heading"],
	["property", "propertyName"]
]) jO[e] = /*@__PURE__*/ NO(DO, t);
function MO(e, t) {
	kO.indexOf(e) > -1 || (kO.push(e), console.warn(t));
}
function NO(e, t) {
	let n = [];
	for (let r of t.split(" ")) {
		let t = [];
		for (let n of r.split(".")) {
			let r = e[n] || $[n];
			r ? typeof r == "function" ? t.length ? t = t.map(r) : MO(n, `Modifier ${n} used at start of tag`) : t.length ? MO(n, `Tag ${n} used as modifier`) : t = Array.isArray(r) ? r : [r] : MO(n, `Unknown highlighting tag ${n}`);
		}
		for (let e of t) n.push(e);
	}
	if (!n.length) return 0;
	let r = t.replace(/ /g, "_"), i = r + " " + n.map((e) => e.id), a = AO[i];
	if (a) return a.id;
	let o = AO[i] = KE.define({
		id: OO.length,
		name: r,
		props: [TD({ [r]: n })]
	});
	return OO.push(o), o.id;
}
Xx.RTL, Xx.LTR;
// node_modules/@codemirror/autocomplete/dist/index.js
var PO = class {
	constructor(e, t, n, r) {
		this.state = e, this.pos = t, this.explicit = n, this.view = r, this.abortListeners = [], this.abortOnDocChange = !1;
	}
	tokenBefore(e) {
		let t = qD(this.state).resolveInner(this.pos, -1);
		for (; t && e.indexOf(t.name) < 0;) t = t.parent;
		return t ? {
			from: t.from,
			to: this.pos,
			text: this.state.sliceDoc(t.from, this.pos),
			type: t.type
		} : null;
	}
	matchBefore(e) {
		let t = this.state.doc.lineAt(this.pos), n = Math.max(t.from, this.pos - 250), r = t.text.slice(n - t.from, this.pos - t.from), i = r.search(BO(e, !1));
		return i < 0 ? null : {
			from: n + i,
			to: this.pos,
			text: r.slice(i)
		};
	}
	get aborted() {
		return this.abortListeners == null;
	}
	addEventListener(e, t, n) {
		e == "abort" && this.abortListeners && (this.abortListeners.push(t), n && n.onDocChange && (this.abortOnDocChange = !0));
	}
};
function FO(e) {
	let t = Object.keys(e).join(""), n = /\w/.test(t);
	return n && (t = t.replace(/\w/g, "")), `[${n ? "\\w" : ""}${t.replace(/[^\w\s]/g, "\\$&")}]`;
}
function IO(e) {
	let t = Object.create(null), n = Object.create(null);
	for (let { label: r } of e) {
		t[r[0]] = !0;
		for (let e = 1; e < r.length; e++) n[r[e]] = !0;
	}
	let r = FO(t) + FO(n) + "*$";
	return [RegExp("^" + r), new RegExp(r)];
}
function LO(e) {
	let t = e.map((e) => typeof e == "string" ? { label: e } : e), [n, r] = t.every((e) => /^\w+$/.test(e.label)) ? [/\w*$/, /\w+$/] : IO(t);
	return (e) => {
		let i = e.matchBefore(r);
		return i || e.explicit ? {
			from: i ? i.from : e.pos,
			options: t,
			validFor: n
		} : null;
	};
}
var RO = class {
	constructor(e, t, n, r) {
		this.completion = e, this.source = t, this.match = n, this.score = r;
	}
};
function zO(e) {
	return e.selection.main.from;
}
function BO(e, t) {
	let { source: n } = e, r = t && n[0] != "^", i = n[n.length - 1] != "$";
	return !r && !i ? e : RegExp(`${r ? "^" : ""}(?:${n})${i ? "$" : ""}`, e.flags ?? (e.ignoreCase ? "i" : ""));
}
var VO = /*@__PURE__*/ Wy.define();
function HO(e, t, n, r) {
	let { main: i } = e.selection, a = n - i.from, o = r - i.from;
	return {
		...e.changeByRange((s) => {
			if (s != i && n != r && e.sliceDoc(s.from + a, s.from + o) != e.sliceDoc(n, r)) return { range: s };
			let c = e.toText(t);
			return {
				changes: {
					from: s.from + a,
					to: r == i.from ? s.to : s.from + o,
					insert: c
				},
				range: J.cursor(s.from + a + c.length)
			};
		}),
		scrollIntoView: !0,
		userEvent: "input.complete"
	};
}
var UO = /*@__PURE__*/ new WeakMap();
function WO(e) {
	if (!Array.isArray(e)) return e;
	let t = UO.get(e);
	return t || UO.set(e, t = LO(e)), t;
}
var GO = /*@__PURE__*/ qy.define(), KO = /*@__PURE__*/ qy.define(), qO = class {
	constructor(e) {
		this.pattern = e, this.chars = [], this.folded = [], this.any = [], this.precise = [], this.byWord = [], this.score = 0, this.matched = [];
		for (let t = 0; t < e.length;) {
			let n = iy(e, t), r = oy(n);
			this.chars.push(n);
			let i = e.slice(t, t + r), a = i.toUpperCase();
			this.folded.push(iy(a == i ? i.toLowerCase() : a, 0)), t += r;
		}
		this.astral = e.length != this.chars.length;
	}
	ret(e, t) {
		return this.score = e, this.matched = t, this;
	}
	match(e) {
		if (this.pattern.length == 0) return this.ret(-100, []);
		if (e.length < this.pattern.length) return null;
		let { chars: t, folded: n, any: r, precise: i, byWord: a } = this;
		if (t.length == 1) {
			let r = iy(e, 0), i = oy(r), a = i == e.length ? 0 : -100;
			if (r != t[0]) {
				if (r == n[0]) a += -200;
				else return null;
			}
			return this.ret(a, [0, i]);
		}
		let o = e.indexOf(this.pattern);
		if (o == 0) return this.ret(e.length == this.pattern.length ? 0 : -100, [0, this.pattern.length]);
		let s = t.length, c = 0;
		if (o < 0) {
			for (let i = 0, a = Math.min(e.length, 200); i < a && c < s;) {
				let a = iy(e, i);
				(a == t[c] || a == n[c]) && (r[c++] = i), i += oy(a);
			}
			if (c < s) return null;
		}
		let l = 0, u = 0, d = !1, f = 0, p = -1, m = -1, h = /[a-z]/.test(e), g = !0;
		for (let r = 0, c = Math.min(e.length, 200), _ = 0; r < c && u < s;) {
			let c = iy(e, r);
			o < 0 && (l < s && c == t[l] && (i[l++] = r), f < s && (c == t[f] || c == n[f] ? (f == 0 && (p = r), m = r + 1, f++) : f = 0));
			let v, y = c < 255 ? c >= 48 && c <= 57 || c >= 97 && c <= 122 ? 2 : +(c >= 65 && c <= 90) : (v = ay(c)) == v.toLowerCase() ? v == v.toUpperCase() ? 0 : 2 : 1;
			(!r || y == 1 && h || _ == 0 && y != 0) && (t[u] == c || n[u] == c && (d = !0) ? a[u++] = r : a.length && (g = !1)), _ = y, r += oy(c);
		}
		return u == s && a[0] == 0 && g ? this.result(-100 + (d ? -200 : 0), a, e) : f == s && p == 0 ? this.ret(-200 - e.length + (m == e.length ? 0 : -100), [0, m]) : o > -1 ? this.ret(-700 - e.length, [o, o + this.pattern.length]) : f == s ? this.ret(-900 - e.length, [p, m]) : u == s ? this.result(-100 + (d ? -200 : 0) + -700 + (g ? 0 : -1100), a, e) : t.length == 2 ? null : this.result((r[0] ? -700 : 0) + -200 + -1100, r, e);
	}
	result(e, t, n) {
		let r = [], i = 0;
		for (let e of t) {
			let t = e + (this.astral ? oy(iy(n, e)) : 1);
			i && r[i - 1] == e ? r[i - 1] = t : (r[i++] = e, r[i++] = t);
		}
		return this.ret(e - n.length, r);
	}
}, JO = class {
	constructor(e) {
		this.pattern = e, this.matched = [], this.score = 0, this.folded = e.toLowerCase();
	}
	match(e) {
		if (e.length < this.pattern.length) return null;
		let t = e.slice(0, this.pattern.length), n = t == this.pattern ? 0 : t.toLowerCase() == this.folded ? -200 : null;
		return n == null ? null : (this.matched = [0, t.length], this.score = n + (e.length == this.pattern.length ? 0 : -100), this);
	}
}, YO = /*@__PURE__*/ Y.define({ combine(e) {
	return lb(e, {
		activateOnTyping: !0,
		activateOnCompletion: () => !1,
		activateOnTypingDelay: 100,
		selectOnOpen: !0,
		override: null,
		closeOnBlur: !0,
		maxRenderedOptions: 100,
		defaultKeymap: !0,
		tooltipClass: () => "",
		optionClass: () => "",
		aboveCursor: !1,
		icons: !0,
		addToOptions: [],
		positionInfo: ZO,
		filterStrict: !1,
		compareCompletions: (e, t) => (e.sortText || e.label).localeCompare(t.sortText || t.label),
		interactionDelay: 75,
		updateSyncTime: 100
	}, {
		defaultKeymap: (e, t) => e && t,
		closeOnBlur: (e, t) => e && t,
		icons: (e, t) => e && t,
		tooltipClass: (e, t) => (n) => XO(e(n), t(n)),
		optionClass: (e, t) => (n) => XO(e(n), t(n)),
		addToOptions: (e, t) => e.concat(t),
		filterStrict: (e, t) => e || t
	});
} });
function XO(e, t) {
	return e ? t ? e + " " + t : e : t;
}
function ZO(e, t, n, r, i, a) {
	let o = e.textDirection == Xx.RTL, s = o, c = !1, l = "top", u, d, f = t.left - i.left, p = i.right - t.right, m = r.right - r.left, h = r.bottom - r.top;
	if (s && f < Math.min(m, p) ? s = !1 : !s && p < Math.min(m, f) && (s = !0), m <= (s ? f : p)) u = Math.max(i.top, Math.min(n.top, i.bottom - h)) - t.top, d = Math.min(400, s ? f : p);
	else {
		c = !0, d = Math.min(400, (o ? t.right : i.right - t.left) - 30);
		let e = i.bottom - t.bottom;
		e >= h || e > t.top ? u = n.bottom - t.top : (l = "bottom", u = t.bottom - n.top);
	}
	let g = (t.bottom - t.top) / a.offsetHeight, _ = (t.right - t.left) / a.offsetWidth;
	return {
		style: `${l}: ${u / g}px; max-width: ${d / _}px`,
		class: "cm-completionInfo-" + (c ? o ? "left-narrow" : "right-narrow" : s ? "left" : "right")
	};
}
var QO = /*@__PURE__*/ qy.define();
function $O(e) {
	let t = e.addToOptions.slice();
	return e.icons && t.push({
		render(e) {
			let t = document.createElement("div");
			return t.classList.add("cm-completionIcon"), e.type && t.classList.add(...e.type.split(/\s+/g).map((e) => "cm-completionIcon-" + e)), t.setAttribute("aria-hidden", "true"), t;
		},
		position: 20
	}), t.push({
		render(e, t, n, r) {
			let i = document.createElement("span");
			i.className = "cm-completionLabel";
			let a = e.displayLabel || e.label, o = 0;
			for (let e = 0; e < r.length;) {
				let t = r[e++], n = r[e++];
				t > o && i.appendChild(document.createTextNode(a.slice(o, t)));
				let s = i.appendChild(document.createElement("span"));
				s.appendChild(document.createTextNode(a.slice(t, n))), s.className = "cm-completionMatchedText", o = n;
			}
			return o < a.length && i.appendChild(document.createTextNode(a.slice(o))), i;
		},
		position: 50
	}, {
		render(e) {
			if (!e.detail) return null;
			let t = document.createElement("span");
			return t.className = "cm-completionDetail", t.textContent = e.detail, t;
		},
		position: 80
	}), t.sort((e, t) => e.position - t.position).map((e) => e.render);
}
function ek(e, t, n) {
	if (e <= n) return {
		from: 0,
		to: e
	};
	if (t < 0 && (t = 0), t <= e >> 1) {
		let e = Math.floor(t / n);
		return {
			from: e * n,
			to: (e + 1) * n
		};
	}
	let r = Math.ceil((e - t) / n);
	return {
		from: e - r * n,
		to: e - (r - 1) * n
	};
}
var tk = class {
	constructor(e, t, n) {
		this.view = e, this.stateField = t, this.applyCompletion = n, this.info = null, this.infoDestroy = null, this.placeInfoReq = {
			read: () => this.measureInfo(),
			write: (e) => this.placeInfo(e),
			key: this
		}, this.space = null, this.currentClass = "";
		let r = e.state.field(t), { options: i, selected: a } = r.open, o = e.state.facet(YO);
		this.optionContent = $O(o), this.optionClass = o.optionClass, this.tooltipClass = o.tooltipClass, this.range = ek(i.length, a, o.maxRenderedOptions), this.dom = document.createElement("div"), this.dom.className = "cm-tooltip-autocomplete", this.updateTooltipClass(e.state), this.dom.addEventListener("mousedown", (n) => {
			let { options: r } = e.state.field(t).open;
			for (let t = n.target, i; t && t != this.dom; t = t.parentNode) if (t.nodeName == "LI" && (i = /-(\d+)$/.exec(t.id)) && +i[1] < r.length) {
				this.applyCompletion(e, r[+i[1]]), n.preventDefault();
				return;
			}
			if (n.target == this.list) {
				let t = this.list.classList.contains("cm-completionListIncompleteTop") && n.clientY < this.list.firstChild.getBoundingClientRect().top ? this.range.from - 1 : this.list.classList.contains("cm-completionListIncompleteBottom") && n.clientY > this.list.lastChild.getBoundingClientRect().bottom ? this.range.to : null;
				t != null && (e.dispatch({ effects: QO.of(t) }), n.preventDefault());
			}
		}), this.dom.addEventListener("focusout", (t) => {
			let n = e.state.field(this.stateField, !1);
			n && n.tooltip && e.state.facet(YO).closeOnBlur && t.relatedTarget != e.contentDOM && e.dispatch({ effects: KO.of(null) });
		}), this.showOptions(i, r.id);
	}
	mount() {
		this.updateSel();
	}
	showOptions(e, t) {
		this.list && this.list.remove(), this.list = this.dom.appendChild(this.createListBox(e, t, this.range)), this.list.addEventListener("scroll", () => {
			this.info && this.view.requestMeasure(this.placeInfoReq);
		});
	}
	update(e) {
		let t = e.state.field(this.stateField), n = e.startState.field(this.stateField);
		if (this.updateTooltipClass(e.state), t != n) {
			let { options: r, selected: i, disabled: a } = t.open;
			n.open && n.open.options == r || (this.range = ek(r.length, i, e.state.facet(YO).maxRenderedOptions), this.showOptions(r, t.id)), this.updateSel(), a != n.open?.disabled && this.dom.classList.toggle("cm-tooltip-autocomplete-disabled", !!a);
		}
	}
	updateTooltipClass(e) {
		let t = this.tooltipClass(e);
		if (t != this.currentClass) {
			for (let e of this.currentClass.split(" ")) e && this.dom.classList.remove(e);
			for (let e of t.split(" ")) e && this.dom.classList.add(e);
			this.currentClass = t;
		}
	}
	positioned(e) {
		this.space = e, this.info && this.view.requestMeasure(this.placeInfoReq);
	}
	updateSel() {
		let e = this.view.state.field(this.stateField), t = e.open;
		(t.selected > -1 && t.selected < this.range.from || t.selected >= this.range.to) && (this.range = ek(t.options.length, t.selected, this.view.state.facet(YO).maxRenderedOptions), this.showOptions(t.options, e.id));
		let n = this.updateSelectedOption(t.selected);
		if (n) {
			this.destroyInfo();
			let { completion: r } = t.options[t.selected], { info: i } = r;
			if (!i) return;
			let a = typeof i == "string" ? document.createTextNode(i) : i(r);
			if (!a) return;
			"then" in a ? a.then((t) => {
				t && this.view.state.field(this.stateField, !1) == e && this.addInfoPane(t, r);
			}).catch((e) => PS(this.view.state, e, "completion info")) : (this.addInfoPane(a, r), n.setAttribute("aria-describedby", this.info.id));
		}
	}
	addInfoPane(e, t) {
		this.destroyInfo();
		let n = this.info = document.createElement("div");
		if (n.className = "cm-tooltip cm-completionInfo", n.id = "cm-completionInfo-" + Math.floor(Math.random() * 65535).toString(16), e.nodeType != null) n.appendChild(e), this.infoDestroy = null;
		else {
			let { dom: t, destroy: r } = e;
			n.appendChild(t), this.infoDestroy = r || null;
		}
		this.dom.appendChild(n), this.view.requestMeasure(this.placeInfoReq);
	}
	updateSelectedOption(e) {
		let t = null;
		for (let n = this.list.firstChild, r = this.range.from; n; n = n.nextSibling, r++) n.nodeName != "LI" || !n.id ? r-- : r == e ? n.hasAttribute("aria-selected") || (n.setAttribute("aria-selected", "true"), t = n) : n.hasAttribute("aria-selected") && (n.removeAttribute("aria-selected"), n.removeAttribute("aria-describedby"));
		return t && rk(this.list, t), t;
	}
	measureInfo() {
		let e = this.dom.querySelector("[aria-selected]");
		if (!e || !this.info) return null;
		let t = this.dom.getBoundingClientRect(), n = this.info.getBoundingClientRect(), r = e.getBoundingClientRect(), i = this.space;
		if (!i) {
			let e = this.dom.ownerDocument.documentElement;
			i = {
				left: 0,
				top: 0,
				right: e.clientWidth,
				bottom: e.clientHeight
			};
		}
		return r.top > Math.min(i.bottom, t.bottom) - 10 || r.bottom < Math.max(i.top, t.top) + 10 ? null : this.view.state.facet(YO).positionInfo(this.view, t, r, n, i, this.dom);
	}
	placeInfo(e) {
		this.info && (e ? (e.style && (this.info.style.cssText = e.style), this.info.className = "cm-tooltip cm-completionInfo " + (e.class || "")) : this.info.style.cssText = "top: -1e6px");
	}
	createListBox(e, t, n) {
		let r = document.createElement("ul");
		r.id = t, r.setAttribute("role", "listbox"), r.setAttribute("aria-expanded", "true"), r.setAttribute("aria-label", this.view.state.phrase("Completions")), r.addEventListener("mousedown", (e) => {
			e.target == r && e.preventDefault();
		});
		let i = null;
		for (let a = n.from; a < n.to; a++) {
			let { completion: o, match: s } = e[a], { section: c } = o;
			if (c) {
				let e = typeof c == "string" ? c : c.name;
				if (e != i && (a > n.from || n.from == 0)) {
					if (i = e, typeof c != "string" && c.header) r.appendChild(c.header(c));
					else {
						let t = r.appendChild(document.createElement("completion-section"));
						t.textContent = e;
					}
				}
			}
			let l = r.appendChild(document.createElement("li"));
			l.id = t + "-" + a, l.setAttribute("role", "option");
			let u = this.optionClass(o);
			u && (l.className = u);
			for (let e of this.optionContent) {
				let t = e(o, this.view.state, this.view, s);
				t && l.appendChild(t);
			}
		}
		return n.from && r.classList.add("cm-completionListIncompleteTop"), n.to < e.length && r.classList.add("cm-completionListIncompleteBottom"), r;
	}
	destroyInfo() {
		this.info &&= (this.infoDestroy && this.infoDestroy(), this.info.remove(), null);
	}
	destroy() {
		this.destroyInfo();
	}
};
function nk(e, t) {
	return (n) => new tk(n, e, t);
}
function rk(e, t) {
	let n = e.getBoundingClientRect(), r = t.getBoundingClientRect(), i = n.height / e.offsetHeight;
	r.top < n.top ? e.scrollTop -= (n.top - r.top) / i : r.bottom > n.bottom && (e.scrollTop += (r.bottom - n.bottom) / i);
}
function ik(e) {
	return (e.boost || 0) * 100 + (e.apply ? 10 : 0) + (e.info ? 5 : 0) + +!!e.type;
}
function ak(e, t) {
	let n = [], r = null, i = null, a = (e) => {
		n.push(e);
		let { section: t } = e.completion;
		if (t) {
			r ||= [];
			let e = typeof t == "string" ? t : t.name;
			r.some((t) => t.name == e) || r.push(typeof t == "string" ? { name: e } : t);
		}
	}, o = t.facet(YO);
	for (let r of e) if (r.hasResult()) {
		let e = r.result.getMatch;
		if (r.result.filter === !1) for (let t of r.result.options) a(new RO(t, r.source, e ? e(t) : [], 1e9 - n.length));
		else {
			let n = t.sliceDoc(r.from, r.to), s, c = o.filterStrict ? new JO(n) : new qO(n);
			for (let t of r.result.options) if (s = c.match(t.label)) {
				let n = t.displayLabel ? e ? e(t, s.matched) : [] : s.matched, o = s.score + (t.boost || 0);
				if (a(new RO(t, r.source, n, o)), typeof t.section == "object" && t.section.rank === "dynamic") {
					let { name: e } = t.section;
					i ||= Object.create(null), i[e] = Math.max(o, i[e] || -1e9);
				}
			}
		}
	}
	if (r) {
		let e = Object.create(null), t = 0, a = (e, t) => (e.rank === "dynamic" && t.rank === "dynamic" ? i[t.name] - i[e.name] : 0) || (typeof e.rank == "number" ? e.rank : 1e9) - (typeof t.rank == "number" ? t.rank : 1e9) || (e.name < t.name ? -1 : 1);
		for (let n of r.sort(a)) t -= 1e5, e[n.name] = t;
		for (let t of n) {
			let { section: n } = t.completion;
			n && (t.score += e[typeof n == "string" ? n : n.name]);
		}
	}
	let s = [], c = null, l = o.compareCompletions;
	for (let e of n.sort((e, t) => t.score - e.score || l(e.completion, t.completion))) {
		let t = e.completion;
		!c || c.label != t.label || c.detail != t.detail || c.type != null && t.type != null && c.type != t.type || c.apply != t.apply || c.boost != t.boost ? s.push(e) : ik(e.completion) > ik(c) && (s[s.length - 1] = e), c = e.completion;
	}
	return s;
}
var ok = class e {
	constructor(e, t, n, r, i, a) {
		this.options = e, this.attrs = t, this.tooltip = n, this.timestamp = r, this.selected = i, this.disabled = a;
	}
	setSelected(t, n) {
		return t == this.selected || t >= this.options.length ? this : new e(this.options, dk(n, t), this.tooltip, this.timestamp, t, this.disabled);
	}
	static build(t, n, r, i, a, o) {
		if (i && !o && t.some((e) => e.isPending)) return i.setDisabled();
		let s = ak(t, n);
		if (!s.length) return i && t.some((e) => e.isPending) ? i.setDisabled() : null;
		let c = n.facet(YO).selectOnOpen ? 0 : -1;
		if (i && i.selected != c && i.selected != -1) {
			let e = i.options[i.selected].completion;
			for (let t = 0; t < s.length; t++) if (s[t].completion == e) {
				c = t;
				break;
			}
		}
		return new e(s, dk(r, c), {
			pos: t.reduce((e, t) => t.hasResult() ? Math.min(e, t.from) : e, 1e8),
			create: bk,
			above: a.aboveCursor
		}, i ? i.timestamp : Date.now(), c, !1);
	}
	map(t) {
		return new e(this.options, this.attrs, {
			...this.tooltip,
			pos: t.mapPos(this.tooltip.pos)
		}, this.timestamp, this.selected, this.disabled);
	}
	setDisabled() {
		return new e(this.options, this.attrs, this.tooltip, this.timestamp, this.selected, !0);
	}
}, sk = class e {
	constructor(e, t, n) {
		this.active = e, this.id = t, this.open = n;
	}
	static start() {
		return new e(fk, "cm-ac-" + Math.floor(Math.random() * 2e6).toString(36), null);
	}
	update(t) {
		let { state: n } = t, r = n.facet(YO), i = (r.override || n.languageDataAt("autocomplete", zO(n)).map(WO)).map((e) => (this.active.find((t) => t.source == e) || new mk(e, +!!this.active.some((e) => e.state != 0))).update(t, r));
		i.length == this.active.length && i.every((e, t) => e == this.active[t]) && (i = this.active);
		let a = this.open, o = t.effects.some((e) => e.is(_k));
		a && t.docChanged && (a = a.map(t.changes)), t.selection || i.some((e) => e.hasResult() && t.changes.touchesRange(e.from, e.to)) || !ck(i, this.active) || o ? a = ok.build(i, n, this.id, a, r, o) : a && a.disabled && !i.some((e) => e.isPending) && (a = null), !a && i.every((e) => !e.isPending) && i.some((e) => e.hasResult()) && (i = i.map((e) => e.hasResult() ? new mk(e.source, 0) : e));
		for (let e of t.effects) e.is(QO) && (a &&= a.setSelected(e.value, this.id));
		return i == this.active && a == this.open ? this : new e(i, this.id, a);
	}
	get tooltip() {
		return this.open ? this.open.tooltip : null;
	}
	get attrs() {
		return this.open ? this.open.attrs : this.active.length ? lk : uk;
	}
};
function ck(e, t) {
	if (e == t) return !0;
	for (let n = 0, r = 0;;) {
		for (; n < e.length && !e[n].hasResult();) n++;
		for (; r < t.length && !t[r].hasResult();) r++;
		let i = n == e.length, a = r == t.length;
		if (i || a) return i == a;
		if (e[n++].result != t[r++].result) return !1;
	}
}
var lk = { "aria-autocomplete": "list" }, uk = {};
function dk(e, t) {
	let n = {
		"aria-autocomplete": "list",
		"aria-haspopup": "listbox",
		"aria-controls": e
	};
	return t > -1 && (n["aria-activedescendant"] = e + "-" + t), n;
}
var fk = [];
function pk(e, t) {
	if (e.isUserEvent("input.complete")) {
		let n = e.annotation(VO);
		if (n && t.activateOnCompletion(n)) return 12;
	}
	let n = e.isUserEvent("input.type");
	return n && t.activateOnTyping ? 5 : n ? 1 : e.isUserEvent("delete.backward") ? 2 : e.selection ? 8 : e.docChanged ? 16 : 0;
}
var mk = class e {
	constructor(e, t, n = !1) {
		this.source = e, this.state = t, this.explicit = n;
	}
	hasResult() {
		return !1;
	}
	get isPending() {
		return this.state == 1;
	}
	update(t, n) {
		let r = pk(t, n), i = this;
		(r & 8 || r & 16 && this.touches(t)) && (i = new e(i.source, 0)), r & 4 && i.state == 0 && (i = new e(this.source, 1)), i = i.updateFor(t, r);
		for (let n of t.effects) if (n.is(GO)) i = new e(i.source, 1, n.value);
		else if (n.is(KO)) i = new e(i.source, 0);
		else if (n.is(_k)) for (let e of n.value) e.source == i.source && (i = e);
		return i;
	}
	updateFor(e, t) {
		return this.map(e.changes);
	}
	map(e) {
		return this;
	}
	touches(e) {
		return e.changes.touchesRange(zO(e.state));
	}
}, hk = class e extends mk {
	constructor(e, t, n, r, i, a) {
		super(e, 3, t), this.limit = n, this.result = r, this.from = i, this.to = a;
	}
	hasResult() {
		return !0;
	}
	updateFor(t, n) {
		if (!(n & 3)) return this.map(t.changes);
		let r = this.result;
		r.map && !t.changes.empty && (r = r.map(r, t.changes));
		let i = t.changes.mapPos(this.from), a = t.changes.mapPos(this.to, 1), o = zO(t.state);
		if (o > a || !r || n & 2 && (zO(t.startState) == this.from || o < this.limit)) return new mk(this.source, n & 4 ? 1 : 0);
		let s = t.changes.mapPos(this.limit);
		return gk(r.validFor, t.state, i, a) ? new e(this.source, this.explicit, s, r, i, a) : r.update && (r = r.update(r, i, a, new PO(t.state, o, !1))) ? new e(this.source, this.explicit, s, r, r.from, r.to ?? zO(t.state)) : new mk(this.source, 1, this.explicit);
	}
	map(t) {
		if (t.empty) return this;
		let n = this.result.map ? this.result.map(this.result, t) : this.result;
		return n ? new e(this.source, this.explicit, t.mapPos(this.limit), n, t.mapPos(this.from), t.mapPos(this.to, 1)) : new mk(this.source, 0);
	}
	touches(e) {
		return e.changes.touchesRange(this.from, this.to);
	}
};
function gk(e, t, n, r) {
	if (!e) return !1;
	let i = t.sliceDoc(n, r);
	return typeof e == "function" ? e(i, n, r, t) : BO(e, !0).test(i);
}
var _k = /*@__PURE__*/ qy.define({ map(e, t) {
	return e.map((e) => e.map(t));
} }), vk = /*@__PURE__*/ Ey.define({
	create() {
		return sk.start();
	},
	update(e, t) {
		return e.update(t);
	},
	provide: (e) => [SE.from(e, (e) => e.tooltip), Z.contentAttributes.from(e, (e) => e.attrs)]
});
function yk(e, t) {
	let n = t.completion.apply || t.completion.label, r = e.state.field(vk).active.find((e) => e.source == t.source);
	return r instanceof hk && (typeof n == "string" ? e.dispatch({
		...HO(e.state, n, r.from, r.to),
		annotations: VO.of(t.completion)
	}) : n(e, t.completion, r.from, r.to), !0);
}
var bk = /*@__PURE__*/ nk(vk, yk);
function xk(e, t = "option") {
	return (n) => {
		let r = n.state.field(vk, !1);
		if (!r || !r.open || r.open.disabled || Date.now() - r.open.timestamp < n.state.facet(YO).interactionDelay) return !1;
		let i = 1, a;
		t == "page" && (a = ME(n, r.open.tooltip)) && (i = Math.max(2, Math.floor(a.dom.offsetHeight / a.dom.querySelector("li").offsetHeight) - 1));
		let { length: o } = r.open.options, s = r.open.selected > -1 ? r.open.selected + i * (e ? 1 : -1) : e ? 0 : o - 1;
		return s < 0 ? s = t == "page" ? 0 : o - 1 : s >= o && (s = t == "page" ? o - 1 : 0), n.dispatch({ effects: QO.of(s) }), !0;
	};
}
var Sk = (e) => {
	let t = e.state.field(vk, !1);
	return e.state.readOnly || !t || !t.open || t.open.selected < 0 || t.open.disabled || Date.now() - t.open.timestamp < e.state.facet(YO).interactionDelay ? !1 : yk(e, t.open.options[t.open.selected]);
}, Ck = (e) => e.state.field(vk, !1) ? (e.dispatch({ effects: GO.of(!0) }), !0) : !1, wk = (e) => {
	let t = e.state.field(vk, !1);
	return !t || !t.active.some((e) => e.state != 0) ? !1 : (e.dispatch({ effects: KO.of(null) }), !0);
}, Tk = class {
	constructor(e, t) {
		this.active = e, this.context = t, this.time = Date.now(), this.updates = [], this.done = void 0;
	}
}, Ek = 50, Dk = 1e3, Ok = /*@__PURE__*/ RS.fromClass(class {
	constructor(e) {
		this.view = e, this.debounceUpdate = -1, this.running = [], this.debounceAccept = -1, this.pendingStart = !1, this.composing = 0;
		for (let t of e.state.field(vk).active) t.isPending && this.startQuery(t);
	}
	update(e) {
		let t = e.state.field(vk), n = e.state.facet(YO);
		if (!e.selectionSet && !e.docChanged && e.startState.field(vk) == t) return;
		let r = e.transactions.some((e) => {
			let t = pk(e, n);
			return t & 8 || (e.selection || e.docChanged) && !(t & 3);
		});
		for (let t = 0; t < this.running.length; t++) {
			let n = this.running[t];
			if (r || n.context.abortOnDocChange && e.docChanged || n.updates.length + e.transactions.length > Ek && Date.now() - n.time > Dk) {
				for (let e of n.context.abortListeners) try {
					e();
				} catch (e) {
					PS(this.view.state, e);
				}
				n.context.abortListeners = null, this.running.splice(t--, 1);
			} else n.updates.push(...e.transactions);
		}
		this.debounceUpdate > -1 && clearTimeout(this.debounceUpdate), e.transactions.some((e) => e.effects.some((e) => e.is(GO))) && (this.pendingStart = !0);
		let i = this.pendingStart ? 50 : n.activateOnTypingDelay;
		if (this.debounceUpdate = t.active.some((e) => e.isPending && !this.running.some((t) => t.active.source == e.source)) ? setTimeout(() => this.startUpdate(), i) : -1, this.composing != 0) for (let t of e.transactions) t.isUserEvent("input.type") ? this.composing = 2 : this.composing == 2 && t.selection && (this.composing = 3);
	}
	startUpdate() {
		this.debounceUpdate = -1, this.pendingStart = !1;
		let { state: e } = this.view, t = e.field(vk);
		for (let e of t.active) e.isPending && !this.running.some((t) => t.active.source == e.source) && this.startQuery(e);
		this.running.length && t.open && t.open.disabled && (this.debounceAccept = setTimeout(() => this.accept(), this.view.state.facet(YO).updateSyncTime));
	}
	startQuery(e) {
		let { state: t } = this.view, n = new PO(t, zO(t), e.explicit, this.view), r = new Tk(e, n);
		this.running.push(r), Promise.resolve(e.source(n)).then((e) => {
			r.context.aborted || (r.done = e || null, this.scheduleAccept());
		}, (e) => {
			this.view.dispatch({ effects: KO.of(null) }), PS(this.view.state, e);
		});
	}
	scheduleAccept() {
		this.running.every((e) => e.done !== void 0) ? this.accept() : this.debounceAccept < 0 && (this.debounceAccept = setTimeout(() => this.accept(), this.view.state.facet(YO).updateSyncTime));
	}
	accept() {
		this.debounceAccept > -1 && clearTimeout(this.debounceAccept), this.debounceAccept = -1;
		let e = [], t = this.view.state.facet(YO), n = this.view.state.field(vk);
		for (let r = 0; r < this.running.length; r++) {
			let i = this.running[r];
			if (i.done === void 0) continue;
			if (this.running.splice(r--, 1), i.done) {
				let n = zO(i.updates.length ? i.updates[0].startState : this.view.state), r = Math.min(n, i.done.from + +!i.active.explicit), a = new hk(i.active.source, i.active.explicit, r, i.done, i.done.from, i.done.to ?? n);
				for (let e of i.updates) a = a.update(e, t);
				if (a.hasResult()) {
					e.push(a);
					continue;
				}
			}
			let a = n.active.find((e) => e.source == i.active.source);
			if (a && a.isPending) {
				if (i.done == null) {
					let n = new mk(i.active.source, 0);
					for (let e of i.updates) n = n.update(e, t);
					n.isPending || e.push(n);
				} else this.startQuery(a);
			}
		}
		(e.length || n.open && n.open.disabled) && this.view.dispatch({ effects: _k.of(e) });
	}
}, { eventHandlers: {
	blur(e) {
		let t = this.view.state.field(vk, !1);
		if (t && t.tooltip && this.view.state.facet(YO).closeOnBlur) {
			let n = t.open && ME(this.view, t.open.tooltip);
			n && n.dom.contains(e.relatedTarget) || setTimeout(() => this.view.dispatch({ effects: KO.of(null) }), 10);
		}
	},
	compositionstart() {
		this.composing = 1;
	},
	compositionend() {
		this.composing == 3 && setTimeout(() => this.view.dispatch({ effects: GO.of(!1) }), 20), this.composing = 0;
	}
} }), kk = typeof navigator == "object" && /*@__PURE__*/ /Win/.test(navigator.platform), Ak = /*@__PURE__*/ ky.highest(/*@__PURE__*/ Z.domEventHandlers({ keydown(e, t) {
	let n = t.state.field(vk, !1);
	if (!n || !n.open || n.open.disabled || n.open.selected < 0 || !e.key || e.key.length > 1 || e.ctrlKey && !(kk && e.altKey) || e.metaKey) return !1;
	let r = n.open.options[n.open.selected], i = n.active.find((e) => e.source == r.source), a = r.completion.commitCharacters || i.result.commitCharacters;
	return a && a.indexOf(e.key) > -1 && yk(t, r), !1;
} })), jk = /*@__PURE__*/ Z.baseTheme({
	".cm-tooltip.cm-tooltip-autocomplete": { "& > ul": {
		fontFamily: "monospace",
		whiteSpace: "nowrap",
		overflow: "hidden auto",
		maxWidth_fallback: "700px",
		maxWidth: "min(700px, 95vw)",
		minWidth: "250px",
		maxHeight: "10em",
		height: "100%",
		listStyle: "none",
		margin: 0,
		padding: 0,
		"& > li, & > completion-section": {
			padding: "1px 3px",
			lineHeight: 1.2
		},
		"& > li": {
			overflowX: "hidden",
			textOverflow: "ellipsis",
			cursor: "pointer"
		},
		"& > completion-section": {
			display: "list-item",
			borderBottom: "1px solid silver",
			paddingLeft: "0.5em",
			opacity: .7
		}
	} },
	"&light .cm-tooltip-autocomplete ul li[aria-selected]": {
		background: "#17c",
		color: "white"
	},
	"&light .cm-tooltip-autocomplete-disabled ul li[aria-selected]": { background: "#777" },
	"&dark .cm-tooltip-autocomplete ul li[aria-selected]": {
		background: "#347",
		color: "white"
	},
	"&dark .cm-tooltip-autocomplete-disabled ul li[aria-selected]": { background: "#444" },
	".cm-completionListIncompleteTop:before, .cm-completionListIncompleteBottom:after": {
		content: "\"···\"",
		opacity: .5,
		display: "block",
		textAlign: "center",
		cursor: "pointer"
	},
	".cm-tooltip.cm-completionInfo": {
		position: "absolute",
		padding: "3px 9px",
		width: "max-content",
		maxWidth: "400px",
		boxSizing: "border-box",
		whiteSpace: "pre-line"
	},
	".cm-completionInfo.cm-completionInfo-left": { right: "100%" },
	".cm-completionInfo.cm-completionInfo-right": { left: "100%" },
	".cm-completionInfo.cm-completionInfo-left-narrow": { right: "30px" },
	".cm-completionInfo.cm-completionInfo-right-narrow": { left: "30px" },
	"&light .cm-snippetField": { backgroundColor: "#00000022" },
	"&dark .cm-snippetField": { backgroundColor: "#ffffff22" },
	".cm-snippetFieldPosition": {
		verticalAlign: "text-top",
		width: 0,
		height: "1.15em",
		display: "inline-block",
		margin: "0 -0.7px -.7em",
		borderLeft: "1.4px dotted #888"
	},
	".cm-completionMatchedText": { textDecoration: "underline" },
	".cm-completionDetail": {
		marginLeft: "0.5em",
		fontStyle: "italic"
	},
	".cm-completionIcon": {
		fontSize: "90%",
		width: ".8em",
		display: "inline-block",
		textAlign: "center",
		paddingRight: ".6em",
		opacity: "0.6",
		boxSizing: "content-box"
	},
	".cm-completionIcon-function, .cm-completionIcon-method": { "&:after": { content: "'ƒ'" } },
	".cm-completionIcon-class": { "&:after": { content: "'○'" } },
	".cm-completionIcon-interface": { "&:after": { content: "'◌'" } },
	".cm-completionIcon-variable": { "&:after": { content: "'𝑥'" } },
	".cm-completionIcon-constant": { "&:after": { content: "'𝐶'" } },
	".cm-completionIcon-type": { "&:after": { content: "'𝑡'" } },
	".cm-completionIcon-enum": { "&:after": { content: "'∪'" } },
	".cm-completionIcon-property": { "&:after": { content: "'□'" } },
	".cm-completionIcon-keyword": { "&:after": { content: "'🔑︎'" } },
	".cm-completionIcon-namespace": { "&:after": { content: "'▢'" } },
	".cm-completionIcon-text": { "&:after": {
		content: "'abc'",
		fontSize: "50%",
		verticalAlign: "middle"
	} }
}), Mk = /*@__PURE__*/ new class extends ub {}();
Mk.startSide = 1, Mk.endSide = -1, typeof navigator == "object" && navigator.userAgent;
function Nk(e = {}) {
	return [
		Ak,
		vk,
		YO.of(e),
		Ok,
		Fk,
		jk
	];
}
var Pk = [
	{
		key: "Ctrl-Space",
		run: Ck
	},
	{
		mac: "Alt-`",
		run: Ck
	},
	{
		mac: "Alt-i",
		run: Ck
	},
	{
		key: "Escape",
		run: wk
	},
	{
		key: "ArrowDown",
		run: /*@__PURE__*/ xk(!0)
	},
	{
		key: "ArrowUp",
		run: /*@__PURE__*/ xk(!1)
	},
	{
		key: "PageDown",
		run: /*@__PURE__*/ xk(!0, "page")
	},
	{
		key: "PageUp",
		run: /*@__PURE__*/ xk(!1, "page")
	},
	{
		key: "Enter",
		run: Sk
	}
], Fk = /*@__PURE__*/ ky.highest(/*@__PURE__*/ nE.computeN([YO], (e) => e.facet(YO).defaultKeymap ? [Pk] : [])), Ik = (e) => {
	let { state: t } = e, n = t.doc.lineAt(t.selection.main.from), r = Vk(e.state, n.from);
	return r.line ? Rk(e) : r.block ? Bk(e) : !1;
};
function Lk(e, t) {
	return ({ state: n, dispatch: r }) => {
		if (n.readOnly) return !1;
		let i = e(t, n);
		return i ? (r(n.update(i)), !0) : !1;
	};
}
var Rk = /*@__PURE__*/ Lk(Kk, 0), zk = /*@__PURE__*/ Lk(Gk, 0), Bk = /*@__PURE__*/ Lk((e, t) => Gk(e, t, Wk(t)), 0);
function Vk(e, t) {
	let n = e.languageDataAt("commentTokens", t, 1);
	return n.length ? n[0] : {};
}
var Hk = 50;
function Uk(e, { open: t, close: n }, r, i) {
	let a = e.sliceDoc(r - Hk, r), o = e.sliceDoc(i, i + Hk), s = /\s*$/.exec(a)[0].length, c = /^\s*/.exec(o)[0].length, l = a.length - s;
	if (a.slice(l - t.length, l) == t && o.slice(c, c + n.length) == n) return {
		open: {
			pos: r - s,
			margin: s && 1
		},
		close: {
			pos: i + c,
			margin: c && 1
		}
	};
	let u, d;
	i - r <= 100 ? u = d = e.sliceDoc(r, i) : (u = e.sliceDoc(r, r + Hk), d = e.sliceDoc(i - Hk, i));
	let f = /^\s*/.exec(u)[0].length, p = /\s*$/.exec(d)[0].length, m = d.length - p - n.length;
	return u.slice(f, f + t.length) == t && d.slice(m, m + n.length) == n ? {
		open: {
			pos: r + f + t.length,
			margin: +!!/\s/.test(u.charAt(f + t.length))
		},
		close: {
			pos: i - p - n.length,
			margin: +!!/\s/.test(d.charAt(m - 1))
		}
	} : null;
}
function Wk(e) {
	let t = [];
	for (let n of e.selection.ranges) {
		let r = e.doc.lineAt(n.from), i = n.to <= r.to ? r : e.doc.lineAt(n.to);
		i.from > r.from && i.from == n.to && (i = n.to == r.to + 1 ? r : e.doc.lineAt(n.to - 1));
		let a = t.length - 1;
		a >= 0 && t[a].to > r.from ? t[a].to = i.to : t.push({
			from: r.from + /^\s*/.exec(r.text)[0].length,
			to: i.to
		});
	}
	return t;
}
function Gk(e, t, n = t.selection.ranges) {
	let r = n.map((e) => Vk(t, e.from).block);
	if (!r.every((e) => e)) return null;
	let i = n.map((e, n) => Uk(t, r[n], e.from, e.to));
	if (e != 2 && !i.every((e) => e)) return { changes: t.changes(n.map((e, t) => i[t] ? [] : [{
		from: e.from,
		insert: r[t].open + " "
	}, {
		from: e.to,
		insert: " " + r[t].close
	}])) };
	if (e != 1 && i.some((e) => e)) {
		let e = [];
		for (let t = 0, n; t < i.length; t++) if (n = i[t]) {
			let i = r[t], { open: a, close: o } = n;
			e.push({
				from: a.pos - i.open.length,
				to: a.pos + a.margin
			}, {
				from: o.pos - o.margin,
				to: o.pos + i.close.length
			});
		}
		return { changes: e };
	}
	return null;
}
function Kk(e, t, n = t.selection.ranges) {
	let r = [], i = -1;
	ranges: for (let { from: e, to: a } of n) {
		let n = r.length, o = 1e9, s;
		for (let n = e; n <= a;) {
			let c = t.doc.lineAt(n);
			if (s == null && (s = Vk(t, c.from).line, !s)) continue ranges;
			if (c.from > i && (e == a || a > c.from)) {
				i = c.from;
				let e = /^\s*/.exec(c.text)[0].length, t = e == c.length, n = c.text.slice(e, e + s.length) == s ? e : -1;
				e < c.text.length && e < o && (o = e), r.push({
					line: c,
					comment: n,
					token: s,
					indent: e,
					empty: t,
					single: !1
				});
			}
			n = c.to + 1;
		}
		if (o < 1e9) for (let e = n; e < r.length; e++) r[e].indent < r[e].line.text.length && (r[e].indent = o);
		r.length == n + 1 && (r[n].single = !0);
	}
	if (e != 2 && r.some((e) => e.comment < 0 && (!e.empty || e.single))) {
		let e = [];
		for (let { line: t, token: n, indent: i, empty: a, single: o } of r) (o || !a) && e.push({
			from: t.from + i,
			insert: n + " "
		});
		let n = t.changes(e);
		return {
			changes: n,
			selection: t.selection.map(n, 1)
		};
	}
	if (e != 1 && r.some((e) => e.comment >= 0)) {
		let e = [];
		for (let { line: t, comment: n, token: i } of r) if (n >= 0) {
			let r = t.from + n, a = r + i.length;
			t.text[a - t.from] == " " && a++, e.push({
				from: r,
				to: a
			});
		}
		return { changes: e };
	}
	return null;
}
var qk = /*@__PURE__*/ Wy.define(), Jk = /*@__PURE__*/ Wy.define(), Yk = /*@__PURE__*/ Y.define(), Xk = /*@__PURE__*/ Y.define({ combine(e) {
	return lb(e, {
		minDepth: 100,
		newGroupDelay: 500,
		joinToEvent: (e, t) => t
	}, {
		minDepth: Math.max,
		newGroupDelay: Math.min,
		joinToEvent: (e, t) => (n, r) => e(n, r) || t(n, r)
	});
} }), Zk = /*@__PURE__*/ Ey.define({
	create() {
		return gA.empty;
	},
	update(e, t) {
		let n = t.state.facet(Xk), r = t.annotation(qk);
		if (r) {
			let i = iA.fromTransaction(t, r.selection), a = r.side, o = a == 0 ? e.undone : e.done;
			return o = i ? aA(o, o.length, n.minDepth, i) : dA(o, t.startState.selection), new gA(a == 0 ? r.rest : o, a == 0 ? o : r.rest);
		}
		let i = t.annotation(Jk);
		if ((i == "full" || i == "before") && (e = e.isolate()), t.annotation(Jy.addToHistory) === !1) return t.changes.empty ? e : e.addMapping(t.changes.desc);
		let a = iA.fromTransaction(t), o = t.annotation(Jy.time), s = t.annotation(Jy.userEvent);
		return a ? e = e.addChanges(a, o, s, n, t) : t.selection && (e = e.addSelection(t.startState.selection, o, s, n.newGroupDelay)), (i == "full" || i == "after") && (e = e.isolate()), e;
	},
	toJSON(e) {
		return {
			done: e.done.map((e) => e.toJSON()),
			undone: e.undone.map((e) => e.toJSON())
		};
	},
	fromJSON(e) {
		return new gA(e.done.map(iA.fromJSON), e.undone.map(iA.fromJSON));
	}
});
function Qk(e = {}) {
	return [
		Zk,
		Xk.of(e),
		Z.domEventHandlers({ beforeinput(e, t) {
			let n = e.inputType == "historyUndo" ? eA : e.inputType == "historyRedo" ? tA : null;
			return n ? (e.preventDefault(), n(t)) : !1;
		} })
	];
}
function $k(e, t) {
	return function({ state: n, dispatch: r }) {
		if (!t && n.readOnly) return !1;
		let i = n.field(Zk, !1);
		if (!i) return !1;
		let a = i.pop(e, n, t);
		return a ? (r(a), !0) : !1;
	};
}
var eA = /*@__PURE__*/ $k(0, !1), tA = /*@__PURE__*/ $k(1, !1), nA = /*@__PURE__*/ $k(0, !0), rA = /*@__PURE__*/ $k(1, !0), iA = class e {
	constructor(e, t, n, r, i) {
		this.changes = e, this.effects = t, this.mapped = n, this.startSelection = r, this.selectionsAfter = i;
	}
	setSelAfter(t) {
		return new e(this.changes, this.effects, this.mapped, this.startSelection, t);
	}
	toJSON() {
		return {
			changes: this.changes?.toJSON(),
			mapped: this.mapped?.toJSON(),
			startSelection: this.startSelection?.toJSON(),
			selectionsAfter: this.selectionsAfter.map((e) => e.toJSON())
		};
	}
	static fromJSON(t) {
		return new e(t.changes && uy.fromJSON(t.changes), [], t.mapped && ly.fromJSON(t.mapped), t.startSelection && J.fromJSON(t.startSelection), t.selectionsAfter.map(J.fromJSON));
	}
	static fromTransaction(t, n) {
		let r = lA;
		for (let e of t.startState.facet(Yk)) {
			let n = e(t);
			n.length && (r = r.concat(n));
		}
		return !r.length && t.changes.empty ? null : new e(t.changes.invert(t.startState.doc), r, void 0, n || t.startState.selection, lA);
	}
	static selection(t) {
		return new e(void 0, lA, void 0, void 0, t);
	}
};
function aA(e, t, n, r) {
	let i = t + 1 > n + 20 ? t - n - 1 : 0, a = e.slice(i, t);
	return a.push(r), a;
}
function oA(e, t) {
	let n = [], r = !1;
	return e.iterChangedRanges((e, t) => n.push(e, t)), t.iterChangedRanges((e, t, i, a) => {
		for (let e = 0; e < n.length;) {
			let t = n[e++], o = n[e++];
			a >= t && i <= o && (r = !0);
		}
	}), r;
}
function sA(e, t) {
	return e.ranges.length == t.ranges.length && e.ranges.filter((e, n) => e.empty != t.ranges[n].empty).length === 0;
}
function cA(e, t) {
	return e.length ? t.length ? e.concat(t) : e : t;
}
var lA = [], uA = 200;
function dA(e, t) {
	if (e.length) {
		let n = e[e.length - 1], r = n.selectionsAfter.slice(Math.max(0, n.selectionsAfter.length - uA));
		return r.length && r[r.length - 1].eq(t) ? e : (r.push(t), aA(e, e.length - 1, 1e9, n.setSelAfter(r)));
	}
	return [iA.selection([t])];
}
function fA(e) {
	let t = e[e.length - 1], n = e.slice();
	return n[e.length - 1] = t.setSelAfter(t.selectionsAfter.slice(0, t.selectionsAfter.length - 1)), n;
}
function pA(e, t) {
	if (!e.length) return e;
	let n = e.length, r = lA;
	for (; n;) {
		let i = mA(e[n - 1], t, r);
		if (i.changes && !i.changes.empty || i.effects.length) {
			let t = e.slice(0, n);
			return t[n - 1] = i, t;
		}
		t = i.mapped, n--, r = i.selectionsAfter;
	}
	return r.length ? [iA.selection(r)] : lA;
}
function mA(e, t, n) {
	let r = cA(e.selectionsAfter.length ? e.selectionsAfter.map((e) => e.map(t)) : lA, n);
	if (!e.changes) return iA.selection(r);
	let i = e.changes.map(t), a = t.mapDesc(e.changes, !0), o = e.mapped ? e.mapped.composeDesc(a) : a;
	return new iA(i, qy.mapEffects(e.effects, t), o, e.startSelection.map(a), r);
}
var hA = /^(input\.type|delete)($|\.)/, gA = class e {
	constructor(e, t, n = 0, r = void 0) {
		this.done = e, this.undone = t, this.prevTime = n, this.prevUserEvent = r;
	}
	isolate() {
		return this.prevTime ? new e(this.done, this.undone) : this;
	}
	addChanges(t, n, r, i, a) {
		let o = this.done, s = o[o.length - 1];
		return o = s && s.changes && !s.changes.empty && t.changes && (!r || hA.test(r)) && (!s.selectionsAfter.length && n - this.prevTime < i.newGroupDelay && i.joinToEvent(a, oA(s.changes, t.changes)) || r == "input.type.compose") ? aA(o, o.length - 1, i.minDepth, new iA(t.changes.compose(s.changes), cA(qy.mapEffects(t.effects, s.changes), s.effects), s.mapped, s.startSelection, lA)) : aA(o, o.length, i.minDepth, t), new e(o, lA, n, r);
	}
	addSelection(t, n, r, i) {
		let a = this.done.length ? this.done[this.done.length - 1].selectionsAfter : lA;
		return a.length > 0 && n - this.prevTime < i && r == this.prevUserEvent && r && /^select($|\.)/.test(r) && sA(a[a.length - 1], t) ? this : new e(dA(this.done, t), this.undone, n, r);
	}
	addMapping(t) {
		return new e(pA(this.done, t), pA(this.undone, t), this.prevTime, this.prevUserEvent);
	}
	pop(e, t, n) {
		let r = e == 0 ? this.done : this.undone;
		if (r.length == 0) return null;
		let i = r[r.length - 1], a = i.selectionsAfter[0] || (i.startSelection ? i.startSelection.map(i.changes.invertedDesc, 1) : t.selection);
		if (n && i.selectionsAfter.length) return t.update({
			selection: i.selectionsAfter[i.selectionsAfter.length - 1],
			annotations: qk.of({
				side: e,
				rest: fA(r),
				selection: a
			}),
			userEvent: e == 0 ? "select.undo" : "select.redo",
			scrollIntoView: !0
		});
		if (i.changes) {
			let n = r.length == 1 ? lA : r.slice(0, r.length - 1);
			return i.mapped && (n = pA(n, i.mapped)), t.update({
				changes: i.changes,
				selection: i.startSelection,
				effects: i.effects,
				annotations: qk.of({
					side: e,
					rest: n,
					selection: a
				}),
				filter: !1,
				userEvent: e == 0 ? "undo" : "redo",
				scrollIntoView: !0
			});
		}
		return null;
	}
};
gA.empty = /*@__PURE__*/ new gA(lA, lA);
var _A = [
	{
		key: "Mod-z",
		run: eA,
		preventDefault: !0
	},
	{
		key: "Mod-y",
		mac: "Mod-Shift-z",
		run: tA,
		preventDefault: !0
	},
	{
		linux: "Ctrl-Shift-z",
		run: tA,
		preventDefault: !0
	},
	{
		key: "Mod-u",
		run: nA,
		preventDefault: !0
	},
	{
		key: "Alt-u",
		mac: "Mod-Shift-u",
		run: rA,
		preventDefault: !0
	}
];
function vA(e, t) {
	return J.create(e.ranges.map(t), e.mainIndex);
}
function yA(e, t) {
	return e.update({
		selection: t,
		scrollIntoView: !0,
		userEvent: "select"
	});
}
function bA({ state: e, dispatch: t }, n) {
	let r = vA(e.selection, n);
	return !r.eq(e.selection, !0) && (t(yA(e, r)), !0);
}
function xA(e, t) {
	return J.cursor(t ? e.to : e.from);
}
function SA(e, t) {
	return bA(e, (n) => n.empty ? e.moveByChar(n, t) : xA(n, t));
}
function CA(e) {
	return e.textDirectionAt(e.state.selection.main.head) == Xx.LTR;
}
var wA = (e) => SA(e, !CA(e)), TA = (e) => SA(e, CA(e));
function EA(e, t) {
	return bA(e, (n) => n.empty ? e.moveByGroup(n, t) : xA(n, t));
}
var DA = (e) => EA(e, !CA(e)), OA = (e) => EA(e, CA(e));
typeof Intl < "u" && Intl.Segmenter;
function kA(e, t, n) {
	if (t.type.prop(n)) return !0;
	let r = t.to - t.from;
	return r && (r > 2 || /[^\s,.;:]/.test(e.sliceDoc(t.from, t.to))) || t.firstChild;
}
function AA(e, t, n) {
	let r = qD(e).resolveInner(t.head), i = n ? UE.closedBy : UE.openedBy;
	for (let a = t.head;;) {
		let t = n ? r.childAfter(a) : r.childBefore(a);
		if (!t) break;
		kA(e, t, i) ? r = t : a = n ? t.to : t.from;
	}
	let a = r.type.prop(i), o, s;
	return s = a && (o = n ? wO(e, r.from, 1) : wO(e, r.to, -1)) && o.matched ? n ? o.end.to : o.end.from : n ? r.to : r.from, J.cursor(s, n ? -1 : 1);
}
var jA = (e) => bA(e, (t) => AA(e.state, t, !CA(e))), MA = (e) => bA(e, (t) => AA(e.state, t, CA(e)));
function NA(e, t) {
	return bA(e, (n) => {
		if (!n.empty) return xA(n, t);
		let r = e.moveVertically(n, t);
		return r.head == n.head ? e.moveToLineBoundary(n, t) : r;
	});
}
var PA = (e) => NA(e, !1), FA = (e) => NA(e, !0);
function IA(e) {
	let t = e.scrollDOM.clientHeight < e.scrollDOM.scrollHeight - 2, n = 0, r = 0, i;
	if (t) {
		for (let t of e.state.facet(Z.scrollMargins)) {
			let i = t(e);
			i?.top && (n = Math.max(i?.top, n)), i?.bottom && (r = Math.max(i?.bottom, r));
		}
		i = e.scrollDOM.clientHeight - n - r;
	} else i = (e.dom.ownerDocument.defaultView || window).innerHeight;
	return {
		marginTop: n,
		marginBottom: r,
		selfScroll: t,
		height: Math.max(e.defaultLineHeight, i - 5)
	};
}
function LA(e, t) {
	let n = IA(e), { state: r } = e, i = vA(r.selection, (r) => r.empty ? e.moveVertically(r, t, n.height) : xA(r, t));
	if (i.eq(r.selection)) return !1;
	let a;
	if (n.selfScroll) {
		let t = e.coordsAtPos(r.selection.main.head), o = e.scrollDOM.getBoundingClientRect(), s = o.top + n.marginTop, c = o.bottom - n.marginBottom;
		t && t.top > s && t.bottom < c && (a = Z.scrollIntoView(i.main.head, {
			y: "start",
			yMargin: t.top - s
		}));
	}
	return e.dispatch(yA(r, i), { effects: a }), !0;
}
var RA = (e) => LA(e, !1), zA = (e) => LA(e, !0);
function BA(e, t, n) {
	let r = e.lineBlockAt(t.head), i = e.moveToLineBoundary(t, n);
	if (i.head == t.head && i.head != (n ? r.to : r.from) && (i = e.moveToLineBoundary(t, n, !1)), !n && i.head == r.from && r.length) {
		let n = /^\s*/.exec(e.state.sliceDoc(r.from, Math.min(r.from + 100, r.to)))[0].length;
		n && t.head != r.from + n && (i = J.cursor(r.from + n));
	}
	return i;
}
var VA = (e) => bA(e, (t) => BA(e, t, !0)), HA = (e) => bA(e, (t) => BA(e, t, !1)), UA = (e) => bA(e, (t) => BA(e, t, !CA(e))), WA = (e) => bA(e, (t) => BA(e, t, CA(e))), GA = (e) => bA(e, (t) => e.moveToLineBoundary(t, !1, !1)), KA = (e) => bA(e, (t) => e.moveToLineBoundary(t, !0, !1));
function qA(e, t, n) {
	let r = !1, i = vA(e.selection, (t) => {
		let i = wO(e, t.head, -1) || wO(e, t.head, 1) || t.head > 0 && wO(e, t.head - 1, 1) || t.head < e.doc.length && wO(e, t.head + 1, -1);
		if (!i || !i.end) return t;
		r = !0;
		let a = i.start.from == t.head ? i.end.to : i.end.from;
		return n ? J.range(t.anchor, a) : J.cursor(a);
	});
	return r ? (t(yA(e, i)), !0) : !1;
}
var JA = ({ state: e, dispatch: t }) => qA(e, t, !1);
function YA(e, t, n) {
	let r = vA(e.state.selection, (e) => {
		e.undirectional && e.head >= e.anchor != t && (e = J.range(e.head, e.anchor));
		let r = n(e);
		return J.range(e.anchor, r.head, r.goalColumn, r.bidiLevel || void 0, r.assoc);
	});
	return !r.eq(e.state.selection) && (e.dispatch(yA(e.state, r)), !0);
}
function XA(e, t) {
	return YA(e, t, (n) => e.moveByChar(n, t));
}
var ZA = (e) => XA(e, !CA(e)), QA = (e) => XA(e, CA(e));
function $A(e, t) {
	return YA(e, t, (n) => e.moveByGroup(n, t));
}
var ej = (e) => $A(e, !CA(e)), tj = (e) => $A(e, CA(e)), nj = (e) => {
	let t = !CA(e);
	return YA(e, t, (n) => AA(e.state, n, t));
}, rj = (e) => {
	let t = CA(e);
	return YA(e, t, (n) => AA(e.state, n, t));
};
function ij(e, t) {
	return YA(e, t, (n) => e.moveVertically(n, t));
}
var aj = (e) => ij(e, !1), oj = (e) => ij(e, !0);
function sj(e, t) {
	return YA(e, t, (n) => e.moveVertically(n, t, IA(e).height));
}
var cj = (e) => sj(e, !1), lj = (e) => sj(e, !0), uj = (e) => YA(e, !0, (t) => BA(e, t, !0)), dj = (e) => YA(e, !1, (t) => BA(e, t, !1)), fj = (e) => {
	let t = !CA(e);
	return YA(e, t, (n) => BA(e, n, t));
}, pj = (e) => {
	let t = CA(e);
	return YA(e, t, (n) => BA(e, n, t));
}, mj = (e) => YA(e, !1, (t) => J.cursor(e.lineBlockAt(t.head).from)), hj = (e) => YA(e, !0, (t) => J.cursor(e.lineBlockAt(t.head).to)), gj = ({ state: e, dispatch: t }) => (t(yA(e, { anchor: 0 })), !0), _j = ({ state: e, dispatch: t }) => (t(yA(e, { anchor: e.doc.length })), !0), vj = ({ state: e, dispatch: t }) => (t(yA(e, {
	anchor: e.selection.main.anchor,
	head: 0
})), !0), yj = ({ state: e, dispatch: t }) => (t(yA(e, {
	anchor: e.selection.main.anchor,
	head: e.doc.length
})), !0), bj = ({ state: e, dispatch: t }) => (t(e.update({
	selection: {
		anchor: 0,
		head: e.doc.length
	},
	userEvent: "select"
})), !0), xj = ({ state: e, dispatch: t }) => {
	let n = Bj(e).map(({ from: t, to: n }) => J.undirectionalRange(t, Math.min(n + 1, e.doc.length)));
	return t(e.update({
		selection: J.create(n),
		userEvent: "select"
	})), !0;
}, Sj = ({ state: e, dispatch: t }) => {
	let n = vA(e.selection, (t) => {
		let n = qD(e), r = n.resolveStack(t.from, 1);
		if (t.empty) {
			let e = n.resolveStack(t.from, -1);
			e.node.from >= r.node.from && e.node.to <= r.node.to && (r = e);
		}
		for (let e = r; e; e = e.next) {
			let { node: n } = e;
			if ((n.from < t.from && n.to >= t.to || n.to > t.to && n.from <= t.from) && e.next) return J.undirectionalRange(n.from, n.to);
		}
		return t;
	});
	return !n.eq(e.selection) && (t(yA(e, n)), !0);
};
function Cj(e, t) {
	let { state: n } = e, r = n.selection, i = n.selection.ranges.slice();
	for (let r of n.selection.ranges) {
		let a = n.doc.lineAt(r.head);
		if (t ? a.to < e.state.doc.length : a.from > 0) for (let n = r;;) {
			let r = e.moveVertically(n, t);
			if (r.head < a.from || r.head > a.to) {
				i.some((e) => e.head == r.head) || i.push(r);
				break;
			}
			if (r.head == n.head) break;
			n = r;
		}
	}
	return i.length != r.ranges.length && (e.dispatch(yA(n, J.create(i, i.length - 1))), !0);
}
var wj = (e) => Cj(e, !1), Tj = (e) => Cj(e, !0), Ej = ({ state: e, dispatch: t }) => {
	let n = e.selection, r = null;
	return n.ranges.length > 1 ? r = J.create([n.main]) : n.main.empty || (r = J.create([J.cursor(n.main.head)])), r ? (t(yA(e, r)), !0) : !1;
};
function Dj(e, t) {
	if (e.state.readOnly) return !1;
	let n = "delete.selection", { state: r } = e, i = r.changeByRange((r) => {
		let { from: i, to: a } = r;
		if (i == a) {
			let o = t(r);
			o < i ? (n = "delete.backward", o = Oj(e, o, !1)) : o > i && (n = "delete.forward", o = Oj(e, o, !0)), i = Math.min(i, o), a = Math.max(a, o);
		} else i = Oj(e, i, !1), a = Oj(e, a, !0);
		return i == a ? { range: r } : {
			changes: {
				from: i,
				to: a
			},
			range: J.cursor(i, i < r.head ? -1 : 1)
		};
	});
	return !i.changes.empty && (e.dispatch(r.update(i, {
		scrollIntoView: !0,
		userEvent: n,
		effects: n == "delete.selection" ? Z.announce.of(r.phrase("Selection deleted")) : void 0
	})), !0);
}
function Oj(e, t, n) {
	if (e instanceof Z) for (let r of e.state.facet(Z.atomicRanges).map((t) => t(e))) r.between(t, t, (e, r) => {
		e < t && r > t && (t = n ? r : e);
	});
	return t;
}
var kj = (e, t, n) => Dj(e, (r) => {
	let i = r.from, { state: a } = e, o = a.doc.lineAt(i), s, c;
	if (n && !t && i > o.from && i < o.from + 200 && !/[^ \t]/.test(s = o.text.slice(0, i - o.from))) {
		if (s[s.length - 1] == "	") return i - 1;
		let e = kb(s, a.tabSize) % aO(a) || aO(a);
		for (let t = 0; t < e && s[s.length - 1 - t] == " "; t++) i--;
		c = i;
	} else c = ty(o.text, i - o.from, t, t) + o.from, c == i && o.number != (t ? a.doc.lines : 1) ? c += t ? 1 : -1 : !t && /[\ufe00-\ufe0f]/.test(o.text.slice(c - o.from, i - o.from)) && (c = ty(o.text, c - o.from, !1, !1) + o.from);
	return c;
}), Aj = (e) => kj(e, !1, !0), jj = (e) => kj(e, !0, !1), Mj = (e, t) => Dj(e, (n) => {
	let r = n.head, { state: i } = e, a = i.doc.lineAt(r), o = i.charCategorizer(r);
	for (let e = null;;) {
		if (r == (t ? a.to : a.from)) {
			r == n.head && a.number != (t ? i.doc.lines : 1) && (r += t ? 1 : -1);
			break;
		}
		let s = ty(a.text, r - a.from, t) + a.from, c = a.text.slice(Math.min(r, s) - a.from, Math.max(r, s) - a.from), l = o(c);
		if (e != null && l != e) break;
		(c != " " || r != n.head) && (e = l), r = s;
	}
	return r;
}), Nj = (e) => Mj(e, !1), Pj = (e) => Mj(e, !0), Fj = (e) => Dj(e, (t) => {
	let n = e.lineBlockAt(t.head).to;
	return t.head < n ? n : Math.min(e.state.doc.length, t.head + 1);
}), Ij = (e) => Dj(e, (t) => {
	let n = e.moveToLineBoundary(t, !1).head;
	return t.head > n ? n : Math.max(0, t.head - 1);
}), Lj = (e) => Dj(e, (t) => {
	let n = e.moveToLineBoundary(t, !0).head;
	return t.head < n ? n : Math.min(e.state.doc.length, t.head + 1);
}), Rj = ({ state: e, dispatch: t }) => {
	if (e.readOnly) return !1;
	let n = e.changeByRange((e) => ({
		changes: {
			from: e.from,
			to: e.to,
			insert: Wv.of(["", ""])
		},
		range: J.cursor(e.from)
	}));
	return t(e.update(n, {
		scrollIntoView: !0,
		userEvent: "input"
	})), !0;
}, zj = ({ state: e, dispatch: t }) => {
	if (e.readOnly) return !1;
	let n = e.changeByRange((t) => {
		if (!t.empty || t.from == 0 || t.from == e.doc.length) return { range: t };
		let n = t.from, r = e.doc.lineAt(n), i = n == r.from ? n - 1 : ty(r.text, n - r.from, !1) + r.from, a = n == r.to ? n + 1 : ty(r.text, n - r.from, !0) + r.from;
		return {
			changes: {
				from: i,
				to: a,
				insert: e.doc.slice(n, a).append(e.doc.slice(i, n))
			},
			range: J.cursor(a)
		};
	});
	return !n.changes.empty && (t(e.update(n, {
		scrollIntoView: !0,
		userEvent: "move.character"
	})), !0);
};
function Bj(e) {
	let t = [], n = -1;
	for (let r of e.selection.ranges) {
		let i = e.doc.lineAt(r.from), a = e.doc.lineAt(r.to);
		if (!r.empty && r.to == a.from && (a = e.doc.lineAt(r.to - 1)), n >= i.number) {
			let e = t[t.length - 1];
			e.to = a.to, e.ranges.push(r);
		} else t.push({
			from: i.from,
			to: a.to,
			ranges: [r]
		});
		n = a.number + 1;
	}
	return t;
}
function Vj(e, t, n) {
	if (e.readOnly) return !1;
	let r = [], i = [];
	for (let t of Bj(e)) {
		if (n ? t.to == e.doc.length : t.from == 0) continue;
		let a = e.doc.lineAt(n ? t.to + 1 : t.from - 1), o = a.length + 1;
		if (n) {
			r.push({
				from: t.to,
				to: a.to
			}, {
				from: t.from,
				insert: a.text + e.lineBreak
			});
			for (let n of t.ranges) i.push(J.range(Math.min(e.doc.length, n.anchor + o), Math.min(e.doc.length, n.head + o)));
		} else {
			r.push({
				from: a.from,
				to: t.from
			}, {
				from: t.to,
				insert: e.lineBreak + a.text
			});
			for (let e of t.ranges) i.push(J.range(e.anchor - o, e.head - o));
		}
	}
	return r.length ? (t(e.update({
		changes: r,
		scrollIntoView: !0,
		selection: J.create(i, e.selection.mainIndex),
		userEvent: "move.line"
	})), !0) : !1;
}
var Hj = ({ state: e, dispatch: t }) => Vj(e, t, !1), Uj = ({ state: e, dispatch: t }) => Vj(e, t, !0);
function Wj(e, t, n) {
	if (e.readOnly) return !1;
	let r = [];
	for (let t of Bj(e)) n ? r.push({
		from: t.from,
		insert: e.doc.slice(t.from, t.to) + e.lineBreak
	}) : r.push({
		from: t.to,
		insert: e.lineBreak + e.doc.slice(t.from, t.to)
	});
	let i = e.changes(r);
	return t(e.update({
		changes: i,
		selection: e.selection.map(i, n ? 1 : -1),
		scrollIntoView: !0,
		userEvent: "input.copyline"
	})), !0;
}
var Gj = ({ state: e, dispatch: t }) => Wj(e, t, !1), Kj = ({ state: e, dispatch: t }) => Wj(e, t, !0), qj = (e) => {
	if (e.state.readOnly) return !1;
	let { state: t } = e, n = t.changes(Bj(t).map(({ from: e, to: n }) => (e > 0 ? e-- : n < t.doc.length && n++, {
		from: e,
		to: n
	}))), r = vA(t.selection, (t) => {
		let n;
		if (e.lineWrapping) {
			let r = e.lineBlockAt(t.head), i = e.coordsAtPos(t.head, t.assoc || 1);
			i && (n = r.bottom + e.documentTop - i.bottom + e.defaultLineHeight / 2);
		}
		return e.moveVertically(t, !0, n);
	}).map(n);
	return e.dispatch({
		changes: n,
		selection: r,
		scrollIntoView: !0,
		userEvent: "delete.line"
	}), !0;
};
function Jj(e, t) {
	if (/\(\)|\[\]|\{\}/.test(e.sliceDoc(t - 1, t + 1))) return {
		from: t,
		to: t
	};
	let n = qD(e).resolveInner(t), r = n.childBefore(t), i = n.childAfter(t), a;
	return r && i && r.to <= t && i.from >= t && (a = r.type.prop(UE.closedBy)) && a.indexOf(i.name) > -1 && e.doc.lineAt(r.to).from == e.doc.lineAt(i.from).from && !/\S/.test(e.sliceDoc(r.to, i.from)) ? {
		from: r.to,
		to: i.from
	} : null;
}
var Yj = /*@__PURE__*/ Zj(!1), Xj = /*@__PURE__*/ Zj(!0);
function Zj(e) {
	return ({ state: t, dispatch: n }) => {
		if (t.readOnly) return !1;
		let r = t.changeByRange((n) => {
			let { from: r, to: i } = n, a = t.doc.lineAt(r), o = !e && r == i && Jj(t, r);
			e && (r = i = (i <= a.to ? a : t.doc.lineAt(i)).to);
			let s = new cO(t, {
				simulateBreak: r,
				simulateDoubleBreak: !!o
			}), c = sO(s, r);
			for (c ??= kb(/^\s*/.exec(t.doc.lineAt(r).text)[0], t.tabSize); i < a.to && /\s/.test(a.text[i - a.from]);) i++;
			o ? {from: r, to: i} = o : r > a.from && r < a.from + 100 && !/\S/.test(a.text.slice(0, r)) && (r = a.from);
			let l = ["", oO(t, c)];
			return o && l.push(oO(t, s.lineIndent(a.from, -1))), {
				changes: {
					from: r,
					to: i,
					insert: Wv.of(l)
				},
				range: J.cursor(r + 1 + l[1].length)
			};
		});
		return n(t.update(r, {
			scrollIntoView: !0,
			userEvent: "input"
		})), !0;
	};
}
function Qj(e, t) {
	let n = -1;
	return e.changeByRange((r) => {
		let i = [];
		for (let a = r.from; a <= r.to;) {
			let o = e.doc.lineAt(a);
			o.number > n && (r.empty || r.to > o.from) && (t(o, i, r), n = o.number), a = o.to + 1;
		}
		let a = e.changes(i);
		return {
			changes: i,
			range: J.range(a.mapPos(r.anchor, 1), a.mapPos(r.head, 1))
		};
	});
}
var $j = ({ state: e, dispatch: t }) => {
	if (e.readOnly) return !1;
	let n = Object.create(null), r = new cO(e, { overrideIndentation: (e) => n[e] ?? -1 }), i = Qj(e, (t, i, a) => {
		let o = sO(r, t.from);
		if (o == null) return;
		/\S/.test(t.text) || (o = 0);
		let s = /^\s*/.exec(t.text)[0], c = oO(e, o);
		(s != c || a.from < t.from + s.length) && (n[t.from] = o, i.push({
			from: t.from,
			to: t.from + s.length,
			insert: c
		}));
	});
	return i.changes.empty || t(e.update(i, { userEvent: "indent" })), !0;
}, eM = ({ state: e, dispatch: t }) => !e.readOnly && (t(e.update(Qj(e, (t, n) => {
	n.push({
		from: t.from,
		insert: e.facet(iO)
	});
}), { userEvent: "input.indent" })), !0), tM = ({ state: e, dispatch: t }) => !e.readOnly && (t(e.update(Qj(e, (t, n) => {
	let r = /^\s*/.exec(t.text)[0];
	if (!r) return;
	let i = kb(r, e.tabSize), a = 0, o = oO(e, Math.max(0, i - aO(e)));
	for (; a < r.length && a < o.length && r.charCodeAt(a) == o.charCodeAt(a);) a++;
	n.push({
		from: t.from + a,
		to: t.from + r.length,
		insert: o.slice(a)
	});
}), { userEvent: "delete.dedent" })), !0), nM = (e) => (e.setTabFocusMode(), !0), rM = [
	{
		key: "Ctrl-b",
		run: wA,
		shift: ZA,
		preventDefault: !0
	},
	{
		key: "Ctrl-f",
		run: TA,
		shift: QA
	},
	{
		key: "Ctrl-p",
		run: PA,
		shift: aj
	},
	{
		key: "Ctrl-n",
		run: FA,
		shift: oj
	},
	{
		key: "Ctrl-a",
		run: GA,
		shift: mj
	},
	{
		key: "Ctrl-e",
		run: KA,
		shift: hj
	},
	{
		key: "Ctrl-d",
		run: jj
	},
	{
		key: "Ctrl-h",
		run: Aj
	},
	{
		key: "Ctrl-k",
		run: Fj
	},
	{
		key: "Ctrl-Alt-h",
		run: Nj
	},
	{
		key: "Ctrl-o",
		run: Rj
	},
	{
		key: "Ctrl-t",
		run: zj
	},
	{
		key: "Ctrl-v",
		run: zA
	}
], iM = /*@__PURE__*/ [
	{
		key: "ArrowLeft",
		run: wA,
		shift: ZA,
		preventDefault: !0
	},
	{
		key: "Mod-ArrowLeft",
		mac: "Alt-ArrowLeft",
		run: DA,
		shift: ej,
		preventDefault: !0
	},
	{
		mac: "Cmd-ArrowLeft",
		run: UA,
		shift: fj,
		preventDefault: !0
	},
	{
		key: "ArrowRight",
		run: TA,
		shift: QA,
		preventDefault: !0
	},
	{
		key: "Mod-ArrowRight",
		mac: "Alt-ArrowRight",
		run: OA,
		shift: tj,
		preventDefault: !0
	},
	{
		mac: "Cmd-ArrowRight",
		run: WA,
		shift: pj,
		preventDefault: !0
	},
	{
		key: "ArrowUp",
		run: PA,
		shift: aj,
		preventDefault: !0
	},
	{
		mac: "Cmd-ArrowUp",
		run: gj,
		shift: vj
	},
	{
		mac: "Ctrl-ArrowUp",
		run: RA,
		shift: cj
	},
	{
		key: "ArrowDown",
		run: FA,
		shift: oj,
		preventDefault: !0
	},
	{
		mac: "Cmd-ArrowDown",
		run: _j,
		shift: yj
	},
	{
		mac: "Ctrl-ArrowDown",
		run: zA,
		shift: lj
	},
	{
		key: "PageUp",
		run: RA,
		shift: cj
	},
	{
		key: "PageDown",
		run: zA,
		shift: lj
	},
	{
		key: "Home",
		run: HA,
		shift: dj,
		preventDefault: !0
	},
	{
		key: "Mod-Home",
		run: gj,
		shift: vj
	},
	{
		key: "End",
		run: VA,
		shift: uj,
		preventDefault: !0
	},
	{
		key: "Mod-End",
		run: _j,
		shift: yj
	},
	{
		key: "Enter",
		run: Yj,
		shift: Yj
	},
	{
		key: "Mod-a",
		run: bj
	},
	{
		key: "Backspace",
		run: Aj,
		shift: Aj,
		preventDefault: !0
	},
	{
		key: "Delete",
		run: jj,
		preventDefault: !0
	},
	{
		key: "Mod-Backspace",
		mac: "Alt-Backspace",
		run: Nj,
		preventDefault: !0
	},
	{
		key: "Mod-Delete",
		mac: "Alt-Delete",
		run: Pj,
		preventDefault: !0
	},
	{
		mac: "Mod-Backspace",
		run: Ij,
		preventDefault: !0
	},
	{
		mac: "Mod-Delete",
		run: Lj,
		preventDefault: !0
	}
].concat(/*@__PURE__*/ rM.map((e) => ({
	mac: e.key,
	run: e.run,
	shift: e.shift
}))), aM = /*@__PURE__*/ [
	{
		key: "Alt-ArrowLeft",
		mac: "Ctrl-ArrowLeft",
		run: jA,
		shift: nj
	},
	{
		key: "Alt-ArrowRight",
		mac: "Ctrl-ArrowRight",
		run: MA,
		shift: rj
	},
	{
		key: "Alt-ArrowUp",
		run: Hj
	},
	{
		key: "Shift-Alt-ArrowUp",
		run: Gj
	},
	{
		key: "Alt-ArrowDown",
		run: Uj
	},
	{
		key: "Shift-Alt-ArrowDown",
		run: Kj
	},
	{
		key: "Mod-Alt-ArrowUp",
		run: wj
	},
	{
		key: "Mod-Alt-ArrowDown",
		run: Tj
	},
	{
		key: "Escape",
		run: Ej
	},
	{
		key: "Mod-Enter",
		run: Xj
	},
	{
		key: "Alt-l",
		mac: "Ctrl-l",
		run: xj
	},
	{
		key: "Mod-i",
		run: Sj,
		preventDefault: !0
	},
	{
		key: "Mod-[",
		run: tM
	},
	{
		key: "Mod-]",
		run: eM
	},
	{
		key: "Mod-Alt-\\",
		run: $j
	},
	{
		key: "Shift-Mod-k",
		run: qj
	},
	{
		key: "Shift-Mod-\\",
		run: JA
	},
	{
		key: "Mod-/",
		run: Ik
	},
	{
		key: "Alt-A",
		mac: "Ctrl-A",
		run: zk
	},
	{
		key: "Ctrl-m",
		mac: "Shift-Alt-m",
		run: nM
	}
].concat(iM), oM = class {
	constructor(e, t, n) {
		this.from = e, this.to = t, this.diagnostic = n;
	}
}, sM = class e {
	constructor(e, t, n) {
		this.diagnostics = e, this.panel = t, this.selected = n;
	}
	static init(t, n, r) {
		let i = r.facet(bM).markerFilter;
		i && (t = i(t, r));
		let a = t.slice().sort((e, t) => e.from - t.from || e.to - t.to), o = new vb(), s = [], c = 0, l = r.doc.iter(), u = 0, d = r.doc.length;
		for (let e = 0;;) {
			let t = e == a.length ? null : a[e];
			if (!t && !s.length) break;
			let n, r;
			if (s.length) n = c, r = s.reduce((e, t) => Math.min(e, t.to), t && t.from > n ? t.from : 1e8);
			else {
				if (n = t.from, n > d) break;
				r = t.to, s.push(t), e++;
			}
			for (; e < a.length;) {
				let t = a[e];
				if (t.from == n && (t.to > t.from || t.to == n)) s.push(t), e++, r = Math.min(t.to, r);
				else {
					r = Math.min(t.from, r);
					break;
				}
			}
			r = Math.min(r, d);
			let i = !1;
			if (s.some((e) => e.from == n && (e.to == r || r == d)) && (i = n == r, !i && r - n < 10)) {
				let e = n - (u + l.value.length);
				e > 0 && (l.next(e), u = n);
				for (let e = n;;) {
					if (e >= r) {
						i = !0;
						break;
					}
					if (!l.lineBreak && u + l.value.length > e) break;
					e = u + l.value.length, u += l.value.length, l.next();
				}
			}
			let f = jM(s);
			if (i) o.add(n, n, fx.widget({
				widget: new wM(f),
				diagnostics: s.slice()
			}));
			else {
				let e = s.reduce((e, t) => t.markClass ? e + " " + t.markClass : e, "");
				o.add(n, r, fx.mark({
					class: "cm-lintRange cm-lintRange-" + f + e,
					diagnostics: s.slice(),
					inclusiveEnd: s.some((e) => e.to > r)
				}));
			}
			if (c = r, c == d) break;
			for (let e = 0; e < s.length; e++) s[e].to <= c && s.splice(e--, 1);
		}
		let f = o.finish();
		return new e(f, n, cM(f));
	}
};
function cM(e, t = null, n = 0) {
	let r = null;
	return e.between(n, 1e9, (e, n, { spec: i }) => {
		if (!(t && i.diagnostics.indexOf(t) < 0)) {
			if (!r) r = new oM(e, n, t || i.diagnostics[0]);
			else if (i.diagnostics.indexOf(r.diagnostic) < 0) return !1;
			else r = new oM(r.from, n, r.diagnostic);
		}
	}), r;
}
function lM(e, t) {
	let n = t.pos, r = t.end || n, i = e.state.facet(bM).hideOn(e, n, r);
	if (i != null) return i;
	let a = e.startState.doc.lineAt(t.pos);
	return !!(e.effects.some((e) => e.is(fM)) || e.changes.touchesRange(a.from, Math.max(a.to, r)));
}
function uM(e, t) {
	return e.field(hM, !1) ? t : t.concat(qy.appendConfig.of(NM));
}
function dM(e, t) {
	return { effects: uM(e, [fM.of(t)]) };
}
var fM = /*@__PURE__*/ qy.define(), pM = /*@__PURE__*/ qy.define(), mM = /*@__PURE__*/ qy.define(), hM = /*@__PURE__*/ Ey.define({
	create() {
		return new sM(fx.none, null, null);
	},
	update(e, t) {
		if (t.docChanged && e.diagnostics.size) {
			let n = e.diagnostics.map(t.changes), r = null, i = e.panel;
			if (e.selected) {
				let i = t.changes.mapPos(e.selected.from, 1);
				r = cM(n, e.selected.diagnostic, i) || cM(n, null, i);
			}
			!n.size && i && t.state.facet(bM).autoPanel && (i = null), e = new sM(n, i, r);
		}
		for (let n of t.effects) if (n.is(fM)) {
			let r = t.state.facet(bM).autoPanel ? n.value.length ? EM.open : null : e.panel;
			e = sM.init(n.value, r, t.state);
		} else n.is(pM) ? e = new sM(e.diagnostics, n.value ? EM.open : null, e.selected) : n.is(mM) && (e = new sM(e.diagnostics, e.panel, n.value));
		return e;
	},
	provide: (e) => [RE.from(e, (e) => e.panel), Z.decorations.from(e, (e) => e.diagnostics)]
}), gM = /*@__PURE__*/ fx.mark({ class: "cm-lintRange cm-lintRange-active" });
function _M(e, t, n) {
	let { diagnostics: r } = e.state.field(hM), i, a = -1, o = -1;
	r.between(t - +(n < 0), t + +(n > 0), (e, r, { spec: s }) => {
		if (t >= e && t <= r && (e == r || (t > e || n > 0) && (t < r || n < 0))) return i = s.diagnostics, a = e, o = r, !1;
	});
	let s = e.state.facet(bM).tooltipFilter;
	return i && s && (i = s(i, e.state)), i ? {
		pos: a,
		end: o,
		above: !0,
		create() {
			return { dom: vM(e, i) };
		}
	} : null;
}
function vM(e, t) {
	return Gb("ul", { class: "cm-tooltip-lint" }, t.map((t) => CM(e, t, !1)));
}
var yM = (e) => {
	let t = e.state.field(hM, !1);
	return !t || !t.panel ? !1 : (e.dispatch({ effects: pM.of(!1) }), !0);
}, bM = /*@__PURE__*/ Y.define({ combine(e) {
	return {
		sources: e.map((e) => e.source).filter((e) => e != null),
		...lb(e.map((e) => e.config), {
			delay: 750,
			markerFilter: null,
			tooltipFilter: null,
			needsRefresh: null,
			hideOn: () => null
		}, {
			delay: Math.max,
			markerFilter: xM,
			tooltipFilter: xM,
			needsRefresh: (e, t) => e ? t ? (n) => e(n) || t(n) : e : t,
			hideOn: (e, t) => e ? t ? (n, r, i) => e(n, r, i) || t(n, r, i) : e : t,
			autoPanel: (e, t) => e || t
		})
	};
} });
function xM(e, t) {
	return e ? t ? (n, r) => t(e(n, r), r) : e : t;
}
function SM(e) {
	let t = [];
	if (e) actions: for (let { name: n } of e) {
		for (let e = 0; e < n.length; e++) {
			let r = n[e];
			if (/[a-zA-Z]/.test(r) && !t.some((e) => e.toLowerCase() == r.toLowerCase())) {
				t.push(r);
				continue actions;
			}
		}
		t.push("");
	}
	return t;
}
function CM(e, t, n) {
	let r = n ? SM(t.actions) : [];
	return Gb("li", { class: "cm-diagnostic cm-diagnostic-" + t.severity }, Gb("span", { class: "cm-diagnosticText" }, t.renderMessage ? t.renderMessage(e) : t.message), t.actions?.map((n, i) => {
		let a = 0, o = (r) => {
			if (r.preventDefault(), a > Date.now() - 100) return;
			let i = cM(e.state.field(hM).diagnostics, t);
			i && n.apply(e, i.from, i.to), a = Date.now();
		}, { name: s } = n, c = r[i] ? s.indexOf(r[i]) : -1, l = c < 0 ? s : [
			s.slice(0, c),
			Gb("u", s.slice(c, c + 1)),
			s.slice(c + 1)
		];
		return Gb("button", {
			type: "button",
			class: "cm-diagnosticAction" + (n.markClass ? " " + n.markClass : ""),
			onclick: o,
			onmousedown: o,
			"aria-label": ` Action: ${s}${c < 0 ? "" : ` (access key "${r[i]})"`}.`
		}, l);
	}), t.source && Gb("div", { class: "cm-diagnosticSource" }, t.source));
}
var wM = class extends ux {
	constructor(e) {
		super(), this.sev = e;
	}
	eq(e) {
		return e.sev == this.sev;
	}
	toDOM() {
		return Gb("span", { class: "cm-lintPoint cm-lintPoint-" + this.sev });
	}
}, TM = class {
	constructor(e, t) {
		this.diagnostic = t, this.id = "item_" + Math.floor(Math.random() * 4294967295).toString(16), this.dom = CM(e, t, !0), this.dom.id = this.id, this.dom.setAttribute("role", "option");
	}
}, EM = class e {
	constructor(e) {
		this.view = e, this.items = [];
		let t = (t) => {
			if (!(t.ctrlKey || t.altKey || t.metaKey)) {
				if (t.keyCode == 27) yM(this.view), this.view.focus();
				else if (t.keyCode == 38 || t.keyCode == 33) this.moveSelection((this.selectedIndex - 1 + this.items.length) % this.items.length);
				else if (t.keyCode == 40 || t.keyCode == 34) this.moveSelection((this.selectedIndex + 1) % this.items.length);
				else if (t.keyCode == 36) this.moveSelection(0);
				else if (t.keyCode == 35) this.moveSelection(this.items.length - 1);
				else if (t.keyCode == 13) this.view.focus();
				else if (t.keyCode >= 65 && t.keyCode <= 90 && this.selectedIndex >= 0) {
					let { diagnostic: n } = this.items[this.selectedIndex], r = SM(n.actions);
					for (let i = 0; i < r.length; i++) if (r[i].toUpperCase().charCodeAt(0) == t.keyCode) {
						let t = cM(this.view.state.field(hM).diagnostics, n);
						t && n.actions[i].apply(e, t.from, t.to);
					}
				} else return;
				t.preventDefault();
			}
		}, n = (e) => {
			for (let t = 0; t < this.items.length; t++) this.items[t].dom.contains(e.target) && this.moveSelection(t);
		};
		this.list = Gb("ul", {
			tabIndex: 0,
			role: "listbox",
			"aria-label": this.view.state.phrase("Diagnostics"),
			onkeydown: t,
			onclick: n
		}), this.dom = Gb("div", { class: "cm-panel-lint" }, this.list, Gb("button", {
			type: "button",
			name: "close",
			"aria-label": this.view.state.phrase("close"),
			onclick: () => yM(this.view)
		}, "×")), this.update();
	}
	get selectedIndex() {
		let e = this.view.state.field(hM).selected;
		if (!e) return -1;
		for (let t = 0; t < this.items.length; t++) if (this.items[t].diagnostic == e.diagnostic) return t;
		return -1;
	}
	update() {
		let { diagnostics: e, selected: t } = this.view.state.field(hM), n = 0, r = !1, i = null, a = /* @__PURE__ */ new Set();
		for (e.between(0, this.view.state.doc.length, (e, o, { spec: s }) => {
			for (let e of s.diagnostics) {
				if (a.has(e)) continue;
				a.add(e);
				let o = -1, s;
				for (let t = n; t < this.items.length; t++) if (this.items[t].diagnostic == e) {
					o = t;
					break;
				}
				o < 0 ? (s = new TM(this.view, e), this.items.splice(n, 0, s), r = !0) : (s = this.items[o], o > n && (this.items.splice(n, o - n), r = !0)), t && s.diagnostic == t.diagnostic ? s.dom.hasAttribute("aria-selected") || (s.dom.setAttribute("aria-selected", "true"), i = s) : s.dom.hasAttribute("aria-selected") && s.dom.removeAttribute("aria-selected"), n++;
			}
		}); n < this.items.length && !(this.items.length == 1 && this.items[0].diagnostic.from < 0);) r = !0, this.items.pop();
		this.items.length == 0 && (this.items.push(new TM(this.view, {
			from: -1,
			to: -1,
			severity: "info",
			message: this.view.state.phrase("No diagnostics")
		})), r = !0), i ? (this.list.setAttribute("aria-activedescendant", i.id), this.view.requestMeasure({
			key: this,
			read: () => ({
				sel: i.dom.getBoundingClientRect(),
				panel: this.list.getBoundingClientRect()
			}),
			write: ({ sel: e, panel: t }) => {
				let n = t.height / this.list.offsetHeight;
				e.top < t.top ? this.list.scrollTop -= (t.top - e.top) / n : e.bottom > t.bottom && (this.list.scrollTop += (e.bottom - t.bottom) / n);
			}
		})) : this.selectedIndex < 0 && this.list.removeAttribute("aria-activedescendant"), r && this.sync();
	}
	sync() {
		let e = this.list.firstChild;
		function t() {
			let t = e;
			e = t.nextSibling, t.remove();
		}
		for (let n of this.items) if (n.dom.parentNode == this.list) {
			for (; e != n.dom;) t();
			e = n.dom.nextSibling;
		} else this.list.insertBefore(n.dom, e);
		for (; e;) t();
	}
	moveSelection(e) {
		if (this.selectedIndex < 0) return;
		let t = cM(this.view.state.field(hM).diagnostics, this.items[e].diagnostic);
		t && this.view.dispatch({
			selection: {
				anchor: t.from,
				head: t.to
			},
			scrollIntoView: !0,
			effects: mM.of(t)
		});
	}
	static open(t) {
		return new e(t);
	}
};
function DM(e, t = "viewBox=\"0 0 40 40\"") {
	return `url('data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" ${t}>${encodeURIComponent(e)}</svg>')`;
}
function OM(e) {
	return DM(`<path d="m0 2.5 l2 -1.5 l1 0 l2 1.5 l1 0" stroke="${e}" fill="none" stroke-width=".7"/>`, "width=\"6\" height=\"3\"");
}
var kM = /*@__PURE__*/ Z.baseTheme({
	".cm-diagnostic": {
		padding: "3px 6px 3px 8px",
		marginLeft: "-1px",
		display: "block",
		whiteSpace: "pre-wrap"
	},
	".cm-diagnostic-error": { borderLeft: "5px solid #d11" },
	".cm-diagnostic-warning": { borderLeft: "5px solid orange" },
	".cm-diagnostic-info": { borderLeft: "5px solid #999" },
	".cm-diagnostic-hint": { borderLeft: "5px solid #66d" },
	".cm-diagnosticAction": {
		font: "inherit",
		border: "none",
		padding: "2px 4px",
		backgroundColor: "#444",
		color: "white",
		borderRadius: "3px",
		marginLeft: "8px",
		cursor: "pointer"
	},
	".cm-diagnosticSource": {
		fontSize: "70%",
		opacity: .7
	},
	".cm-lintRange": {
		backgroundPosition: "left bottom",
		backgroundRepeat: "repeat-x",
		paddingBottom: "0.7px"
	},
	".cm-lintRange-error": { backgroundImage: /*@__PURE__*/ OM("#f11") },
	".cm-lintRange-warning": { backgroundImage: /*@__PURE__*/ OM("orange") },
	".cm-lintRange-info": { backgroundImage: /*@__PURE__*/ OM("#999") },
	".cm-lintRange-hint": { backgroundImage: /*@__PURE__*/ OM("#66d") },
	".cm-lintRange-active": { backgroundColor: "#ffdd9980" },
	".cm-tooltip-lint": {
		padding: 0,
		margin: 0
	},
	".cm-lintPoint": {
		position: "relative",
		"&:after": {
			content: "\"\"",
			position: "absolute",
			bottom: 0,
			left: "-2px",
			borderLeft: "3px solid transparent",
			borderRight: "3px solid transparent",
			borderBottom: "4px solid #d11"
		}
	},
	".cm-lintPoint-warning": { "&:after": { borderBottomColor: "orange" } },
	".cm-lintPoint-info": { "&:after": { borderBottomColor: "#999" } },
	".cm-lintPoint-hint": { "&:after": { borderBottomColor: "#66d" } },
	".cm-panel.cm-panel-lint": {
		position: "relative",
		"& ul": {
			maxHeight: "100px",
			overflowY: "auto",
			"& [aria-selected]": {
				backgroundColor: "#ddd",
				"& u": { textDecoration: "underline" }
			},
			"&:focus [aria-selected]": {
				background_fallback: "#bdf",
				backgroundColor: "Highlight",
				color_fallback: "white",
				color: "HighlightText"
			},
			"& u": { textDecoration: "none" },
			padding: 0,
			margin: 0
		},
		"& [name=close]": {
			position: "absolute",
			top: "0",
			right: "2px",
			background: "inherit",
			border: "none",
			font: "inherit",
			padding: 0,
			margin: 0
		}
	},
	"&dark .cm-lintRange-active": { backgroundColor: "#86714a80" },
	"&dark .cm-panel.cm-panel-lint ul": { "& [aria-selected]": { backgroundColor: "#2e343e" } }
});
function AM(e) {
	return e == "error" ? 4 : e == "warning" ? 3 : e == "info" ? 2 : 1;
}
function jM(e) {
	let t = "hint", n = 1;
	for (let r of e) {
		let e = AM(r.severity);
		e > n && (n = e, t = r.severity);
	}
	return t;
}
var MM = /*@__PURE__*/ jE(_M, { hideOn: lM }), NM = [
	hM,
	/*@__PURE__*/ Z.decorations.compute([hM], (e) => {
		let { selected: t, panel: n } = e.field(hM);
		return !t || !n || t.from == t.to ? fx.none : fx.set([gM.range(t.from, t.to)]);
	}),
	MM,
	kM
], PM = [
	"pretty",
	"sel",
	"gem",
	"eps",
	"global",
	"core",
	"python"
], FM = {
	pretty: "in words",
	sel: "SEL",
	gem: "GEM",
	eps: "EPS",
	global: "GLOBAL",
	core: "CORE",
	python: "Python"
}, IM = {
	pretty: [
		"followed by",
		"and",
		"or",
		"not",
		"where",
		"within",
		"at least",
		"times",
		"with the same",
		"with different",
		"every"
	],
	sel: [
		"if",
		"in",
		"at",
		"delta"
	],
	gem: ["when"],
	eps: [
		"NOT",
		"TimesEq",
		"TimesDf",
		"at",
		"every",
		"first",
		"last"
	],
	global: ["NOT"],
	core: ["in"],
	python: [
		"tc.event",
		"then",
		"where",
		"within",
		"never",
		"at_least",
		"without"
	]
}, LM = [
	"unrestricted",
	"generic",
	"chronicle",
	"recent",
	"continuous",
	"cumulative"
], RM = [
	"critical",
	"high",
	"medium",
	"low",
	"informational"
], zM = /* @__PURE__ */ B("<div></div>"), BM = {
	hash: "svelte-6nmiy1",
	code: ".editor.svelte-6nmiy1 {border:1px solid var(--line);border-radius:8px;background:var(--panel);min-height:3.2rem;}.editor.wrong.svelte-6nmiy1 {border-color:var(--critical);}.editor.svelte-6nmiy1 .cm-editor {border-radius:8px;}.editor.svelte-6nmiy1 .cm-editor.cm-focused {outline:2px solid var(--focus);}.editor.svelte-6nmiy1 .cm-content {font-family:var(--mono);font-size:0.95rem;padding:0.55rem 0.4rem;caret-color:var(--text);}.editor.svelte-6nmiy1 .cm-tooltip {background:var(--panel);color:var(--text);border-color:var(--line);}.editor.svelte-6nmiy1 .cm-tooltip-autocomplete ul li[aria-selected] {background:var(--accent);color:var(--accent-ink);}.editor.svelte-6nmiy1 .cm-selectionBackground {background:var(--accent-soft);}.editor.svelte-6nmiy1 .cm-cursor {border-left-color:var(--text);}"
};
function VM(e, t) {
	D(t, !0), Pi(e, BM);
	let n = /* @__PURE__ */ j(void 0), r = /* @__PURE__ */ j(void 0);
	Pn(() => {
		if (!R(n)) return;
		let e = jr(() => new Z({
			parent: R(n),
			state: cb.create({
				doc: t.text,
				extensions: [
					Z.cspNonce.of(document.querySelector("meta[name=csp-nonce]")?.content ?? ""),
					Qk(),
					nE.of([
						...Pk,
						..._A,
						...aM
					]),
					Z.lineWrapping,
					Nk({
						override: [a],
						icons: !1
					}),
					Z.contentAttributes.of({
						"aria-label": t.label,
						spellcheck: "false"
					}),
					Z.updateListener.of((e) => e.docChanged && t.onchange(e.state.doc.toString()))
				]
			})
		}));
		return M(r, e), () => e.destroy();
	}), Pn(() => {
		let e = t.text;
		R(r) && R(r).state.doc.toString() !== e && R(r).dispatch({ changes: {
			from: 0,
			to: R(r).state.doc.length,
			insert: e
		} });
	}), Pn(() => {
		R(r) && R(r).dispatch(dM(R(r).state, t.faults.map((e) => i(e, R(r).state))));
	});
	function i(e, t) {
		let n = t.doc.line(Math.min(Math.max(e.line ?? 1, 1), t.doc.lines)), r = Math.min(n.from + (e.column ?? 1) - 1, n.to), i = e.column === void 0 ? n.to : Math.min(n.from + (e.end ?? e.column + 1) - 1, t.doc.length);
		return {
			from: Math.min(r, i),
			to: i,
			severity: "error",
			message: e.message + (e.expected ? ` - expected ${e.expected}` : "")
		};
	}
	function a(e) {
		let n = e.matchBefore(/[\w]+\.\w*/);
		if (n) {
			let e = n.text.split(".")[0], r = t.types.get(e) ?? new Set([...t.types.values()].flatMap((e) => [...e]));
			return {
				from: n.from + e.length + 1,
				options: [...r].sort().map((e) => ({
					label: e,
					type: "property"
				}))
			};
		}
		let r = e.matchBefore(/[\w]+/);
		if (!r && !e.explicit) return null;
		let i = [...t.types.keys()].sort().map((e) => ({
			label: e,
			type: "class",
			detail: "event"
		})), a = (IM[t.language] ?? []).map((e) => ({
			label: e,
			type: "keyword",
			detail: FM[t.language] ?? ""
		}));
		return {
			from: r?.from ?? e.pos,
			options: [...i, ...a]
		};
	}
	var o = zM();
	let s;
	Oa(o, (e) => M(n, e), () => R(n)), L(() => s = Gi(o, 1, "editor svelte-6nmiy1", null, s, { wrong: t.faults.length > 0 })), V(e, o), O();
}
// src/parts/Values.svelte
var HM = /* @__PURE__ */ B("<div class=\"svelte-61u2xi\"><dt class=\"svelte-61u2xi\"> </dt><dd class=\"svelte-61u2xi\"> </dd></div>"), UM = /* @__PURE__ */ B("<dl class=\"svelte-61u2xi\"></dl>"), WM = {
	hash: "svelte-61u2xi",
	code: "dl.svelte-61u2xi {display:flex;flex-wrap:wrap;gap:0.2rem 0.9rem;margin:0;font-size:0.85rem;}div.svelte-61u2xi {display:flex;gap:0.35rem;min-width:0;}dt.svelte-61u2xi {color:var(--soft);}dd.svelte-61u2xi {margin:0;font-family:var(--mono);overflow-wrap:anywhere;}"
};
function GM(e, t) {
	D(t, !0), Pi(e, WM);
	let n = /* @__PURE__ */ k(() => Object.entries(t.of).filter(([, e]) => e !== void 0)), r = (e) => typeof e == "string" ? e : JSON.stringify(e);
	var i = UM();
	Ei(i, 21, () => R(n), ([e, t]) => e, (e, t) => {
		var n = /* @__PURE__ */ k(() => v(R(t), 2));
		let i = () => R(n)[0], a = () => R(n)[1];
		var o = HM(), s = N(o), c = F(s, !0), l = F(I(s), !0);
		E(o), L((e) => {
			H(c, i()), H(l, e);
		}, [() => r(a())]), V(e, o);
	}), E(i), V(e, i), O();
}
// src/parts/NearMisses.svelte
var KM = /* @__PURE__ */ B("<p class=\"small soft\"> </p>"), qM = /* @__PURE__ */ B("<p> </p>"), JM = /* @__PURE__ */ B("<span class=\"soft small\"> </span>"), YM = /* @__PURE__ */ B("<li class=\"small\"> <strong> </strong> </li>"), XM = /* @__PURE__ */ B("<li class=\"small\"><span aria-hidden=\"true\" class=\"cross svelte-17pntne\">✕</span> <span class=\"hidden\"> </span><code> </code><!></li>"), ZM = /* @__PURE__ */ B("<li class=\"svelte-17pntne\"><strong> </strong> <!> <ul class=\"svelte-17pntne\"><!> <!></ul></li>"), QM = /* @__PURE__ */ B("<p class=\"small\"> </p> <!> <!> <ol class=\"svelte-17pntne\"></ol>", 1), $M = {
	hash: "svelte-17pntne",
	code: "ol.svelte-17pntne, ul.svelte-17pntne {list-style:none;padding:0;margin:0.3rem 0 0;display:grid;gap:0.4rem;}ol.svelte-17pntne > li:where(.svelte-17pntne) {border-left:3px solid var(--medium);padding-left:0.7rem;}.cross.svelte-17pntne {color:var(--critical);font-weight:700;}"
};
function eN(e, t) {
	D(t, !0), Pi(e, $M);
	let n = K.whyNot;
	var r = QM(), i = P(r), a = F(i), o = I(i, 2);
	Ei(o, 16, () => t.told.remarks, (e) => e, (e, t) => {
		var n = KM(), r = F(n, !0);
		L(() => H(r, t)), V(e, n);
	});
	var s = I(o, 2), c = (e) => {
		var t = qM(), r = F(t, !0);
		L(() => H(r, n.none)), V(e, t);
	};
	U(s, (e) => {
		t.told.misses.length || e(c);
	});
	var l = I(s, 2);
	Ei(l, 21, () => t.told.misses, Si, (e, t) => {
		var r = ZM(), i = N(r), a = F(i, !0), o = I(i, 2), s = (e) => {
			var n = JM(), r = F(n, !0);
			L((e) => H(r, e), [() => so.time(R(t).time, !0)]), V(e, n);
		};
		U(o, (e) => {
			R(t).time && e(s);
		});
		var c = I(o, 2), l = N(c);
		Ei(l, 17, () => R(t).constituents, Si, (e, t) => {
			var r = YM(), i = N(r), a = I(i), o = F(a, !0), s = I(a);
			E(r), L(() => {
				H(i, `${R(t).event ? "●" : "○"} `), H(o, R(t).name), H(s, ` ${R(t).event ? `${R(t).event.type} · ${R(t).event.source ?? ""}` : `${n.missing} ${R(t).asks}`}`);
			}), V(e, r);
		}), Ei(I(l, 2), 17, () => R(t).failed, Si, (e, t) => {
			var n = XM(), r = I(N(n), 2), i = F(r), a = I(r), o = F(a, !0), s = I(a), c = (e) => {
				GM(e, { get of() {
					return R(t).values;
				} });
			};
			U(s, (e) => {
				R(t).values && e(c);
			}), E(n), L(() => {
				H(i, `${K.detection.fails ?? ""}:`), H(o, R(t).text);
			}), V(e, n);
		}), E(c), E(r), L((e) => H(a, e), [() => n.near(R(t).distance)]), V(e, r);
	}), E(l), L((e, r) => H(a, `${e ?? ""} ${r ?? ""}${t.told.cut ? ` ${n.cut}` : ""}`), [() => n.fired(t.told.detections), () => n.tried(t.told.tried)]), V(e, r), O();
}
// src/parts/Fired.svelte
var tN = /* @__PURE__ */ B("<p class=\"soft\"> </p>"), nN = /* @__PURE__ */ B("<p class=\"soft\"> <progress max=\"1\" aria-hidden=\"true\" class=\"svelte-1x4gs4c\"></progress></p>"), rN = /* @__PURE__ */ B("<p> </p>"), iN = /* @__PURE__ */ B("<!> <p><strong> </strong></p> <!>", 1), aN = /* @__PURE__ */ B("<p class=\"fault\"> </p>"), oN = /* @__PURE__ */ ri("<rect rx=\"2\"><title> </title></rect>"), sN = /* @__PURE__ */ B("<li><span class=\"soft small\"> </span> <!></li>"), cN = /* @__PURE__ */ B("<svg height=\"64\" role=\"img\" class=\"svelte-1x4gs4c\"></svg> <p class=\"soft small\"> </p> <details><summary> </summary> <ul class=\"svelte-1x4gs4c\"></ul></details>", 1), lN = /* @__PURE__ */ B("<h3> </h3> <p class=\"soft small\"> </p> <!>", 1), uN = /* @__PURE__ */ B("<p class=\"fault\" role=\"alert\"> </p>"), dN = /* @__PURE__ */ B("<button class=\"svelte-1x4gs4c\"> </button>"), fN = /* @__PURE__ */ B("<!> <!> <!>", 1), pN = /* @__PURE__ */ B("<section class=\"panel\" aria-labelledby=\"fired\"><header><h2 id=\"fired\"> </h2></header> <div role=\"status\"><!></div> <!> <!></section>"), mN = {
	hash: "svelte-1x4gs4c",
	code: "svg.svelte-1x4gs4c {max-width:100%;fill:var(--water);margin-top:0.5rem;}progress.svelte-1x4gs4c {width:8rem;accent-color:var(--accent);vertical-align:middle;}button.svelte-1x4gs4c {margin-top:0.5rem;}ul.svelte-1x4gs4c {list-style:none;padding:0;margin:0.4rem 0 0;display:grid;gap:0.4rem;max-height:16rem;overflow:auto;}"
};
function hN(e, t) {
	D(t, !0), Pi(e, mN);
	let n = 2e3, r = K.compose, i = /* @__PURE__ */ k(() => t.composer.tried), a = /* @__PURE__ */ k(() => t.composer.misses ? Math.max(n, t.composer.misses.looked.events) * 10 : n), o = /* @__PURE__ */ k(() => {
		if (!R(i)) return [];
		let e = Object.entries(R(i).by_hour), t = e.length && e.length <= 96 ? e : Object.entries(R(i).by_day), n = Math.max(1, ...t.map(([, e]) => e));
		return t.map(([e, t]) => ({
			when: e.replace("T", " ") + (e.includes("T") ? ":00 UTC" : " UTC"),
			count: t,
			tall: t / n * 60
		}));
	}), s = /* @__PURE__ */ k(() => Math.max(4, Math.min(28, 480 / Math.max(1, R(o).length))));
	var c = pN(), l = N(c), u = F(N(l), !0);
	E(l);
	var d = I(l, 2), f = N(d), p = (e) => {
		var t = tN(), n = F(t, !0);
		L(() => H(n, r.trying)), V(e, t);
	}, m = (e) => {
		var n = iN(), a = P(n), o = (e) => {
			var n = nN(), i = N(n), a = I(i);
			E(n), L((e) => {
				H(i, `${e ?? ""} `), fa(a, t.composer.share);
			}, [() => r.soFar(t.composer.share)]), V(e, n);
		};
		U(a, (e) => {
			t.composer.isTrying && e(o);
		});
		var s = I(a, 2), c = F(N(s), !0);
		E(s);
		var l = I(s, 2), u = (e) => {
			var t = rN(), n = F(t, !0);
			L((e) => H(n, e), [() => r.compared(R(i).against.both, R(i).against["candidate only"], R(i).against["live only"])]), V(e, t);
		};
		U(l, (e) => {
			R(i).against && e(u);
		}), L((e) => H(c, e), [() => R(i).detections ? r.firedTimes(R(i).detections, R(i).events) : r.firedNone]), V(e, n);
	}, h = (e) => {
		var n = aN(), r = F(n, !0);
		L(() => H(r, t.composer.triedFault)), V(e, n);
	}, g = (e) => {
		var t = tN(), n = F(t, !0);
		L(() => H(n, r.firedNothing)), V(e, t);
	};
	U(f, (e) => {
		t.composer.isTrying && !R(i) ? e(p) : R(i) ? e(m, 1) : t.composer.triedFault ? e(h, 2) : e(g, -1);
	}), E(d);
	var _ = I(d, 2), v = (e) => {
		var t = cN(), n = P(t);
		Ei(n, 23, () => R(o), (e) => e.when, (e, t, n) => {
			var r = oN(), i = F(N(r));
			E(r), L((e) => {
				W(r, "x", R(n) * (R(s) + 2)), W(r, "y", 62 - R(t).tall), W(r, "width", R(s)), W(r, "height", e), H(i, `${R(t).when ?? ""}: ${R(t).count ?? ""}`);
			}, [() => Math.max(2, R(t).tall)]), V(e, r);
		}), E(n);
		var a = I(n, 2), c = F(a), l = I(a, 2), u = N(l), d = F(u), f = I(u, 2);
		Ei(f, 21, () => R(i).examples, Si, (e, t) => {
			var n = sN(), r = N(n), i = F(r, !0), a = I(r), o = I(a);
			{
				let e = /* @__PURE__ */ k(() => R(t).data ?? {});
				GM(o, { get of() {
					return R(e);
				} });
			}
			E(n), L((e) => {
				H(i, e), H(a, ` ${R(t).notification ?? "" ?? ""} `);
			}, [() => so.time(R(t).time, !0)]), V(e, n);
		}), E(f), E(l), L((e, t) => {
			W(n, "viewBox", `0 0 ${R(o).length * (R(s) + 2)} 64`), W(n, "aria-label", e), H(c, `${R(o)[0].when ?? ""}${t ?? ""}`), H(d, `${r.examples ?? ""} (${R(i).examples.length ?? ""})`);
		}, [() => R(o).map((e) => `${e.when}: ${e.count}`).join(", "), () => R(o).length > 1 ? ` - ${R(o).at(-1).when}` : ""]), V(e, t);
	};
	U(_, (e) => {
		R(i) && R(o).length && e(v);
	});
	var y = I(_, 2), b = (e) => {
		var n = fN(), i = P(n), o = (e) => {
			let n = /* @__PURE__ */ k(() => t.composer.misses.looked);
			var i = lN(), a = P(i), o = F(a, !0), s = I(a, 2), c = F(s, !0);
			Ei(I(s, 2), 17, () => t.composer.misses.rules, (e) => e.rule, (e, t) => {
				eN(e, { get told() {
					return R(t);
				} });
			}), L((e) => {
				H(o, r.misses), H(c, e);
			}, [() => r.lookedIn(R(n).events, R(n).from ? so.time(R(n).from, !0) : "", R(n).is_all)]), V(e, i);
		};
		U(i, (e) => {
			t.composer.misses && e(o);
		});
		var s = I(i, 2), c = (e) => {
			var n = uN(), r = F(n, !0);
			L(() => H(r, t.composer.missesFault)), V(e, n);
		};
		U(s, (e) => {
			t.composer.missesFault && e(c);
		});
		var l = I(s, 2), u = (e) => {
			var n = dN(), i = F(n, !0);
			L((e) => {
				n.disabled = t.composer.isSeeking, H(i, e);
			}, [() => t.composer.isSeeking ? K.detection.asking : t.composer.misses ? r.lookFurther(R(a)) : r.showMisses]), z("click", n, () => t.composer.seek(R(a))), V(e, n);
		};
		U(l, (e) => {
			!t.composer.misses?.looked.is_all && R(a) <= 2e5 && e(u);
		}), V(e, n);
	};
	U(y, (e) => {
		R(i) && !t.composer.isTrying && e(b);
	}), E(c), L(() => {
		W(c, "aria-busy", t.composer.isTrying), H(u, r.fired);
	}), V(e, c), O();
}
Jr(["click"]);
// src/parts/Inspector.svelte
var gN = /* @__PURE__ */ B("<label class=\"flag svelte-duhzvb\"><input type=\"checkbox\" class=\"svelte-duhzvb\"/> </label>"), _N = /* @__PURE__ */ B("<option> </option>"), vN = /* @__PURE__ */ B("<label> <select class=\"svelte-duhzvb\"></select></label>"), yN = /* @__PURE__ */ B("<label> <input spellcheck=\"false\" class=\"svelte-duhzvb\"/></label>"), bN = /* @__PURE__ */ B("<div class=\"row\"><strong> </strong><span class=\"soft small\"> </span></div> <div class=\"fields svelte-duhzvb\"><!> <label> <select class=\"svelte-duhzvb\"><option> </option><!></select></label></div> <button class=\"svelte-duhzvb\"> </button>", 1), xN = /* @__PURE__ */ B("<p class=\"soft small\"> </p>"), SN = /* @__PURE__ */ B("<option></option>"), CN = /* @__PURE__ */ B("<section class=\"svelte-duhzvb\"><!></section> <datalist id=\"types\"></datalist>", 1), wN = {
	hash: "svelte-duhzvb",
	code: "section.svelte-duhzvb {display:grid;gap:0.5rem;min-height:3rem;}.fields.svelte-duhzvb {display:flex;flex-wrap:wrap;gap:0.5rem 0.9rem;align-items:end;}.fields.svelte-duhzvb input:where(.svelte-duhzvb):not([type]) {display:block;width:11rem;}.fields.svelte-duhzvb select:where(.svelte-duhzvb) {display:block;}.flag.svelte-duhzvb {display:flex;gap:0.4rem;align-items:center;min-height:2.1rem;}.flag.svelte-duhzvb input:where(.svelte-duhzvb) {min-height:0;}button.svelte-duhzvb {justify-self:start;}"
};
function TN(e, t) {
	D(t, !0), Pi(e, wN);
	let n = G(t, "composer", 7), r = K.compose, i = /* @__PURE__ */ k(() => n().drawing.pieces.find((e) => e.id === n().selected && e.id !== "rule")), a = /* @__PURE__ */ k(() => R(i) && tv[R(i).is]), o = /* @__PURE__ */ k(() => n().drawing.pipes.find((e) => e.from === R(i)?.id)), s = /* @__PURE__ */ k(() => n().drawing.pieces.filter((e) => R(i) && !fv(n().drawing, R(i).id, e.id)).flatMap((e) => av(e.is).map((t) => ({
		value: `${e.id} ${t.key}`,
		text: e.id === "rule" ? r.goesOut : `${bv(e)}: ${t.label}`
	}))));
	function c(e, t) {
		let { [e.key]: r, ...a } = R(i).fields;
		n().setDrawing(hv(n().drawing, R(i).id, t === void 0 ? a : {
			...a,
			[e.key]: t
		}));
	}
	function l(e) {
		let [t, r] = e.split(" ");
		n().setDrawing(t && r ? lv(pv(n().drawing, R(i).id, t, r)) : mv(n().drawing, R(i).id), !0);
	}
	var u = CN(), d = P(u), f = N(d), p = (e) => {
		var t = bN(), u = P(t), d = N(u), f = F(d, !0), p = F(I(d), !0);
		E(u);
		var m = I(u, 2), h = N(m);
		Ei(h, 17, () => R(a).fields, (e) => `${R(i).id}.${e.key}`, (e, t) => {
			var n = ai(), a = P(n), o = (e) => {
				var n = gN(), r = N(n);
				da(r);
				var a = I(r);
				E(n), L(() => {
					pa(r, R(i).fields[R(t).key] === !0), H(a, ` ${R(t).label ?? ""}`);
				}), z("change", r, (e) => c(R(t), e.currentTarget.checked || (R(t).isOptional ? void 0 : !1))), V(e, n);
			}, s = (e) => {
				var n = vN(), a = N(n), o = I(a);
				Ei(o, 21, () => Object.entries(r.orders), ([e, t]) => e, (e, t) => {
					var n = /* @__PURE__ */ k(() => v(R(t), 2));
					let r = () => R(n)[0], i = () => R(n)[1];
					var a = _N(), o = F(a, !0), s = {};
					L(() => {
						H(o, i()), s !== (s = r()) && (a.value = (a.__value = s) ?? "");
					}), V(e, a);
				}), E(o);
				var s;
				Qi(o), E(n), L(() => {
					H(a, `${R(t).label ?? ""} `), s !== (s = R(i).fields[R(t).key] ?? "ends") && (o.value = (o.__value = s) ?? "", Zi(o, s));
				}), z("change", o, (e) => c(R(t), e.currentTarget.value === "ends" ? void 0 : e.currentTarget.value)), V(e, n);
			}, l = (e) => {
				var n = yN(), r = N(n), a = I(r);
				da(a), E(n), L((e) => {
					H(r, `${R(t).label ?? ""} `), fa(a, e), W(a, "inputmode", R(t).kind === "number" ? "numeric" : void 0), W(a, "list", R(t).key === "type" ? "types" : void 0);
				}, [() => R(t).key === "variable" ? R(i).fields[R(t).key] ?? "" : xv(R(t), R(i).fields[R(t).key])]), z("change", a, (e) => c(R(t), Sv(R(t), e.currentTarget.value))), V(e, n);
			};
			U(a, (e) => {
				R(t).kind === "flag" ? e(o) : R(t).kind === "order" ? e(s, 1) : e(l, -1);
			}), V(e, n);
		});
		var g = I(h, 2), _ = N(g), y = I(_), b = N(y), x = F(b, !0);
		b.value = b.__value = "", Ei(I(b), 17, () => R(s), (e) => e.value, (e, t) => {
			var n = _N(), r = F(n, !0), i = {};
			L(() => {
				H(r, R(t).text), i !== (i = R(t).value) && (n.value = (n.__value = i) ?? "");
			}), V(e, n);
		}), E(y);
		var S;
		Qi(y), E(g), E(m);
		var C = I(m, 2), w = F(C, !0);
		L(() => {
			H(f, R(a).title), H(p, R(a).hint), H(_, `${r.connect ?? ""} `), H(x, r.nowhere), S !== (S = R(o) ? `${R(o).to} ${R(o).slot}` : "") && (y.value = y.__value = S, Zi(y, S)), H(w, r.remove);
		}), z("change", y, (e) => l(e.currentTarget.value)), z("click", C, () => (n().setDrawing(lv(gv(n().drawing, R(i).id)), !0), n().selected = null)), V(e, t);
	}, m = (e) => {
		var t = xN(), n = F(t, !0);
		L(() => H(n, r.noPiece)), V(e, t);
	};
	U(f, (e) => {
		R(i) && R(a) ? e(p) : e(m, -1);
	}), E(d);
	var h = I(d, 2);
	Ei(h, 20, () => n().types.keys(), (e) => e, (e, t) => {
		var n = SN(), r = {};
		L(() => {
			r !== (r = t) && (n.value = (n.__value = r) ?? "");
		}), V(e, n);
	}), E(h), L(() => W(d, "aria-label", r.piece)), V(e, u), O();
}
Jr(["change", "click"]);
// src/parts/Notations.svelte
var EN = /* @__PURE__ */ B("<p class=\"soft\"> </p>"), DN = /* @__PURE__ */ B("<button class=\"plain small\"> </button>"), ON = /* @__PURE__ */ B("<p class=\"soft small\"> </p>"), kN = /* @__PURE__ */ B("<pre class=\"svelte-14vvglx\"> </pre> <!> <!>", 1), AN = /* @__PURE__ */ B("<br/> ", 1), jN = /* @__PURE__ */ B("<p class=\"soft small\"> <!></p>"), MN = /* @__PURE__ */ B("<li><div class=\"row\"><strong> </strong> <!></div> <!></li>"), NN = /* @__PURE__ */ B("<section class=\"panel\" aria-labelledby=\"notations\"><header><h2 id=\"notations\"> </h2></header> <!> <ul class=\"svelte-14vvglx\"></ul></section>"), PN = {
	hash: "svelte-14vvglx",
	code: "ul.svelte-14vvglx {list-style:none;margin:0;padding:0;display:grid;gap:0.7rem;}li.svelte-14vvglx {border-left:3px solid var(--line);padding-left:0.7rem;min-width:0;}li.current.svelte-14vvglx {border-left-color:var(--accent);}pre.svelte-14vvglx {margin:0.1rem 0;white-space:pre-wrap;overflow-wrap:anywhere;}"
};
function FN(e, t) {
	D(t, !0), Pi(e, PN);
	let n = K.compose, r = /* @__PURE__ */ k(() => PM.map((e) => t.composer.notations.find((t) => t.language === e)).filter((e) => e !== void 0));
	function i(e) {
		let { language: t, expression: n, notify: r, severity: i, select: a, ...o } = e.document;
		return Object.entries(o).filter(([, e]) => typeof e == "string").map(([e, t]) => `${e}: ${t}`).join(", ");
	}
	function a(e) {
		let { name: n, callback: r, enabled: i, shadow: a, owner: o } = t.composer.document, s = Object.fromEntries(Object.entries({
			name: n,
			callback: r,
			enabled: i,
			shadow: a,
			owner: o
		}).filter(([, e]) => e !== void 0));
		t.composer.setDocument({
			...e.document,
			...s
		});
	}
	var o = NN(), s = N(o), c = F(N(s), !0);
	E(s);
	var l = I(s, 2), u = (e) => {
		var t = EN(), r = F(t, !0);
		L(() => H(r, n.firedNothing)), V(e, t);
	};
	U(l, (e) => {
		R(r).length || e(u);
	});
	var d = I(l, 2);
	Ei(d, 21, () => R(r), (e) => e.language, (e, r) => {
		var o = MN();
		let s;
		var c = N(o), l = N(c), u = F(l, !0), d = I(l, 2), f = (e) => {
			var t = DN(), i = F(t, !0);
			L(() => {
				W(t, "aria-label", `${n.edit ?? ""}: ${FM[R(r).language] ?? ""}`), H(i, n.edit);
			}), z("click", t, () => a(R(r))), V(e, t);
		};
		U(d, (e) => {
			R(r).document && R(r).language !== t.composer.document.language && e(f);
		}), E(c);
		var p = I(c, 2), m = (e) => {
			var t = kN(), n = P(t), a = F(n, !0), o = I(n, 2), s = (e) => {
				var t = ON(), n = F(t, !0);
				L((e) => H(n, e), [() => i(R(r))]), V(e, t);
			}, c = /* @__PURE__ */ k(() => i(R(r)));
			U(o, (e) => {
				R(c) && e(s);
			}), Ei(I(o, 2), 16, () => R(r).remarks ?? [], (e) => e, (e, t) => {
				var n = ON(), r = F(n, !0);
				L(() => H(r, t)), V(e, n);
			}), L(() => H(a, R(r).document.expression)), V(e, t);
		}, h = (e) => {
			var t = ai();
			Ei(P(t), 17, () => R(r).faults ?? [], Si, (e, t) => {
				var n = jN(), r = N(n, !0), i = I(r), a = (e) => {
					var n = AN(), r = I(P(n), 1, !0);
					L(() => H(r, R(t).hint)), V(e, n);
				};
				U(i, (e) => {
					R(t).hint && e(a);
				}), E(n), L(() => H(r, R(t).message)), V(e, n);
			}), V(e, t);
		};
		U(p, (e) => {
			R(r).document ? e(m) : e(h, -1);
		}), E(o), L(() => {
			s = Gi(o, 1, "svelte-14vvglx", null, s, { current: R(r).language === t.composer.document.language }), H(u, FM[R(r).language]);
		}), V(e, o);
	}), E(d), E(o), L(() => H(c, n.notations)), V(e, o), O();
}
Jr(["click"]);
// src/lib/composer.svelte.ts
var IN = "tocsin.draft", LN = 250, RN = 1e3, zN = {
	name: "",
	language: "pretty",
	expression: "",
	window: "1 hour"
}, BN = class {
	api;
	#e = /* @__PURE__ */ j(zN);
	get document() {
		return R(this.#e);
	}
	set document(e) {
		M(this.#e, e);
	}
	#t = /* @__PURE__ */ j(ov(null));
	get drawing() {
		return R(this.#t);
	}
	set drawing(e) {
		M(this.#t, e);
	}
	#n = /* @__PURE__ */ j([]);
	get notations() {
		return R(this.#n);
	}
	set notations(e) {
		M(this.#n, e);
	}
	#r = /* @__PURE__ */ j("");
	get program() {
		return R(this.#r);
	}
	set program(e) {
		M(this.#r, e, !0);
	}
	#i = /* @__PURE__ */ j([]);
	get faults() {
		return R(this.#i);
	}
	set faults(e) {
		M(this.#i, e);
	}
	#a = /* @__PURE__ */ j([]);
	get incomplete() {
		return R(this.#a);
	}
	set incomplete(e) {
		M(this.#a, e);
	}
	#o = /* @__PURE__ */ j(null);
	get tried() {
		return R(this.#o);
	}
	set tried(e) {
		M(this.#o, e);
	}
	#s = /* @__PURE__ */ j("");
	get triedFault() {
		return R(this.#s);
	}
	set triedFault(e) {
		M(this.#s, e, !0);
	}
	#c = /* @__PURE__ */ j(!1);
	get isTrying() {
		return R(this.#c);
	}
	set isTrying(e) {
		M(this.#c, e, !0);
	}
	#l = /* @__PURE__ */ j(1);
	get share() {
		return R(this.#l);
	}
	set share(e) {
		M(this.#l, e, !0);
	}
	#u = /* @__PURE__ */ j(null);
	get misses() {
		return R(this.#u);
	}
	set misses(e) {
		M(this.#u, e);
	}
	#d = /* @__PURE__ */ j("");
	get missesFault() {
		return R(this.#d);
	}
	set missesFault(e) {
		M(this.#d, e, !0);
	}
	#f = /* @__PURE__ */ j(!1);
	get isSeeking() {
		return R(this.#f);
	}
	set isSeeking(e) {
		M(this.#f, e, !0);
	}
	#p = /* @__PURE__ */ j(null);
	get theirs() {
		return R(this.#p);
	}
	set theirs(e) {
		M(this.#p, e);
	}
	#m = /* @__PURE__ */ j("");
	get saved() {
		return R(this.#m);
	}
	set saved(e) {
		M(this.#m, e, !0);
	}
	#h = /* @__PURE__ */ j([]);
	get saveFaults() {
		return R(this.#h);
	}
	set saveFaults(e) {
		M(this.#h, e);
	}
	#g = /* @__PURE__ */ j(null);
	get opened() {
		return R(this.#g);
	}
	set opened(e) {
		M(this.#g, e);
	}
	#_ = /* @__PURE__ */ j(/* @__PURE__ */ new Map());
	get types() {
		return R(this.#_);
	}
	set types(e) {
		M(this.#_, e);
	}
	#v = /* @__PURE__ */ j(null);
	get selected() {
		return R(this.#v);
	}
	set selected(e) {
		M(this.#v, e, !0);
	}
	#y = /* @__PURE__ */ j([]);
	get undone() {
		return R(this.#y);
	}
	set undone(e) {
		M(this.#y, e);
	}
	#b = /* @__PURE__ */ j([]);
	get done() {
		return R(this.#b);
	}
	set done(e) {
		M(this.#b, e);
	}
	#x = /* @__PURE__ */ j(0);
	get layouts() {
		return R(this.#x);
	}
	set layouts(e) {
		M(this.#x, e, !0);
	}
	timer;
	asking = null;
	trying = null;
	constructor(e) {
		this.api = e;
	}
	async begin(e) {
		this.learn();
		let t = e.get("request"), n = e.get("rule");
		if (t) return this.open(t);
		let r = n ? Ka(n) : sessionStorage.getItem(IN);
		r && await this.setDocument(JSON.parse(r));
	}
	async open(e) {
		try {
			this.opened = await this.api.get(`/v1/requests/${e}`), await this.setDocument(this.opened.document);
		} catch (e) {
			this.saveFaults = VN(e);
		}
	}
	fresh() {
		this.remember(), this.opened = null, this.document = zN, this.drawing = ov(null), [this.notations, this.faults, this.incomplete] = [
			[],
			[],
			[]
		], [this.tried, this.misses, this.theirs, this.saved, this.saveFaults, this.selected] = [
			this.giveUp(),
			null,
			null,
			"",
			[],
			null
		], sessionStorage.removeItem(IN);
	}
	async learn() {
		let e = /* @__PURE__ */ new Map(), t = (t, n) => e.set(t, /* @__PURE__ */ new Set([...e.get(t) ?? [], ...n]));
		try {
			let e = await this.api.get("/v1/types");
			for (let n of e.types) t(n.name, Object.keys(n.schema?.properties ?? {}).concat(HN(n.gem)));
			let n = await this.api.get("/v1/events", {
				newest: !0,
				limit: RN
			});
			for (let { id: e, type: r, source: i, time: a, arrival: o, ...s } of n.items) r && t(r, Object.keys(s));
		} catch {
			return;
		}
		this.types = new Map([...e].sort(([e], [t]) => e.localeCompare(t)));
	}
	setText(e) {
		e !== this.document.expression && (this.remember(), this.document = {
			...this.document,
			expression: e
		}, this.later(() => this.ask(!1)));
	}
	setSetting(e, t) {
		this.remember();
		let { [e]: n, ...r } = this.document;
		this.document = t === "" || t === void 0 ? r : {
			...r,
			[e]: t
		}, e === "name" ? this.keep() : this.later(() => this.ask(!1));
	}
	setDrawing(e, t = !1) {
		this.remember(), this.drawing = e, t && this.layouts++, this.later(() => this.ask(!0));
	}
	move(e) {
		this.drawing = {
			...this.drawing,
			pieces: this.drawing.pieces.map((t) => ({
				...t,
				...e.get(t.id)
			}))
		};
	}
	tidy() {
		this.drawing = lv(this.drawing), this.layouts++;
	}
	async setDocument(e) {
		this.remember(), this.document = e, await this.ask(!1);
	}
	undo() {
		this.goTo(this.done, (e) => this.done = e, () => this.undone = [...this.undone, this.snapshot()]);
	}
	redo() {
		this.goTo(this.undone, (e) => this.undone = e, () => this.done = [...this.done, this.snapshot()]);
	}
	goTo(e, t, n) {
		let r = e.at(-1);
		r && (n(), t(e.slice(0, -1)), this.document = r.document, this.drawing = r.drawing, this.layouts++, this.later(() => this.ask(!1, !0)));
	}
	snapshot() {
		return {
			document: this.document,
			drawing: this.drawing
		};
	}
	remember() {
		this.saved = "", (this.document !== zN || this.drawing.pieces.length !== 1) && (this.done = [...this.done.slice(-200), this.snapshot()], this.undone = []);
	}
	later(e) {
		clearTimeout(this.timer), this.timer = setTimeout(() => void e(), LN), this.keep();
	}
	keep() {
		(this.document.expression || this.document.name) && sessionStorage.setItem(IN, JSON.stringify(this.document));
	}
	async ask(e, t = !1) {
		clearTimeout(this.timer);
		let n = e ? cv(this.drawing) : null;
		if (Array.isArray(n)) {
			this.incomplete = n, [this.notations, this.tried] = [[], this.giveUp()];
			return;
		}
		if (this.incomplete = [], !e && !this.document.expression.trim()) {
			[this.notations, this.faults, this.tried, this.drawing] = [
				[],
				[],
				this.giveUp(),
				ov(null)
			];
			return;
		}
		this.asking?.abort();
		let r = this.asking = new AbortController(), { callback: i, shadow: a, ...o } = this.document;
		try {
			let i = {
				...o,
				name: o.name || "rule"
			}, a = await this.api.post("/v1/notations", n ? {
				request: i,
				drawing: n
			} : { request: i }, r.signal);
			if (r.signal.aborted) return;
			if (this.faults = [], this.notations = a.notations, this.program = a.program, e) {
				let { language: e, expression: t, context: n } = a.document;
				this.document = {
					...this.document,
					language: e,
					expression: t,
					...n ? { context: n } : {}
				};
			} else t || (this.drawing = ov(a.drawing), this.layouts++);
			this.keep(), this.try(this.document);
		} catch (e) {
			if (r.signal.aborted) return;
			this.faults = VN(e), [this.notations, this.tried] = [[], this.giveUp()];
		}
	}
	try(e) {
		this.trying?.abort();
		let t = this.trying = new AbortController();
		[this.misses, this.missesFault, this.isTrying] = [
			null,
			"",
			!0
		], (async () => {
			try {
				let n = await this.api.follow("/v1/backtest", this.asked(e), (e) => {
					t.signal.aborted || ([this.tried, this.share] = [e, e.share]);
				}, t.signal);
				if (t.signal.aborted) return;
				[this.tried, this.triedFault] = [n, ""];
			} catch (e) {
				if (t.signal.aborted) return;
				this.tried = null, this.triedFault = VN(e)[0]?.message ?? K.connection.unreachable;
			}
			[this.isTrying, this.share] = [!1, 1];
		})();
	}
	giveUp() {
		return this.trying?.abort(), [this.isTrying, this.share, this.misses] = [
			!1,
			1,
			null
		], null;
	}
	asked(e) {
		let { callback: t, shadow: n, enabled: r, ...i } = e;
		return {
			request: {
				...i,
				name: i.name || "rule"
			},
			...this.opened ? { against: this.opened.id } : {}
		};
	}
	async seek(e) {
		let t = this.trying;
		[this.isSeeking, this.missesFault] = [!0, ""];
		try {
			let n = await this.api.post("/v1/misses", {
				...this.asked(this.document),
				events: e
			}, t?.signal);
			t === this.trying && (this.misses = n);
		} catch (e) {
			t === this.trying && (this.missesFault = VN(e)[0]?.message ?? K.connection.unreachable);
		}
		this.isSeeking = !1;
	}
	async save(e = !1) {
		this.saved = "", [this.saveFaults, this.theirs] = [[], null];
		try {
			let t;
			if (e && this.opened) {
				let { callback: e, ...n } = this.document;
				t = await this.api.post("/v1/requests", {
					...n,
					name: `${this.opened.name}_shadow`,
					shadow: this.opened.id
				});
			} else this.opened ? (t = await this.api.put(`/v1/requests/${this.opened.id}`, this.document, this.opened.version), this.opened = t) : (t = await this.api.post("/v1/requests", this.document), this.opened = t);
			this.saved = K.compose.saved(t.name, t.version), sessionStorage.removeItem(IN);
		} catch (e) {
			e instanceof Va && e.status === 412 && this.opened ? await this.meet(this.opened.id) : this.saveFaults = VN(e);
		}
	}
	async meet(e) {
		try {
			let t = await this.api.get(`/v1/requests/${e}`), { items: n } = await this.api.get(`/v1/requests/${e}/changes`);
			this.opened = {
				...this.opened,
				version: t.version
			}, this.theirs = {
				request: t,
				actor: n[0]?.actor ?? ""
			}, this.saveFaults = [{
				code: "changed",
				message: K.compose.changedSince
			}];
		} catch (e) {
			this.saveFaults = VN(e);
		}
	}
	async takeTheirs() {
		if (!this.theirs) return;
		let { request: e } = this.theirs;
		[this.opened, this.theirs, this.saveFaults] = [
			e,
			null,
			[]
		], await this.setDocument(e.document);
	}
	link() {
		let { callback: e, ...t } = this.document;
		return `${location.origin}/#/compose?rule=${Ga(JSON.stringify(t))}`;
	}
	lacking(e) {
		let t = this.drawing.pieces.find((t) => t.id === e.piece);
		if (e.piece === "rule") return K.compose.empty;
		let n = t ? bv(t) : "";
		return e.lacks ? K.compose.lacks(n, e.lacks) : K.compose.unconnected(n);
	}
};
function VN(e) {
	return e instanceof Va && e.status ? e.faults : [{
		code: "unreachable",
		message: K.connection.unreachable
	}];
}
function HN(e = "") {
	return (/\(([^)]*)\)/.exec(e)?.[1] ?? "").split(",").map((e) => e.trim().split(/\s+/).at(-1) ?? "").filter(Boolean);
}
// src/lib/exports.ts
function UN(e) {
	return `rules:\n  -${Object.entries(e).filter(([e, t]) => ![
		"callback",
		"owner",
		"shadow",
		"enabled",
		"partition",
		"budget",
		"allow_unbounded"
	].includes(e) && t !== "").map(([e, t]) => `    ${e}: ${JSON.stringify(t)}`).join("\n").slice(3)}\n`;
}
var WN = (e) => e.replace(/[&<>"]/g, (e) => `&#${e.charCodeAt(0)};`);
function GN(e, t) {
	let [n, r] = [170, 62], i = Math.max(...e.pieces.map((e) => e.x)) + n + 40, a = Math.max(...e.pieces.map((e) => e.y)) + r + 40, o = new Map(e.pieces.map((e) => [e.id, e])), s = e.pipes.map((e) => {
		let [t, i] = [o.get(e.from), o.get(e.to)], [a, s, c, l] = [
			t.x + n + 20,
			t.y + r / 2 + 20,
			i.x + 20,
			i.y + r / 2 + 20
		];
		return `<path d="M${a} ${s}C${a + 60} ${s} ${c - 60} ${l} ${c} ${l}" fill="none" stroke="#3aa0ad" stroke-width="5"/>`;
	}), c = e.pieces.map((e) => {
		let i = (tv[e.is]?.fields ?? []).filter((e) => e.key !== "type" && e.kind !== "order").map((t) => xv(t, e.fields[t.key])).filter(Boolean);
		return `<g transform="translate(${e.x + 20} ${e.y + 20})"><rect width="${n}" height="${r}" rx="12" fill="#fff" stroke="#0b6b73" stroke-width="2"/><text x="12" y="26" font-weight="600">${WN(bv(e, t).slice(0, 22))}</text><text x="12" y="46" font-size="11">${WN(i.join(", ").slice(0, 28))}</text></g>`;
	});
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${i} ${a}" font-family="sans-serif" font-size="13">${s.join("")}${c.join("")}</svg>`;
}
function KN(e, t, n) {
	let r = document.createElement("a");
	r.href = URL.createObjectURL(new Blob([t], { type: n })), r.download = e, r.click(), setTimeout(() => URL.revokeObjectURL(r.href), 1e3);
}
// src/views/Compose.svelte
function qN(e) {
	let t = e.split(",").map((e) => e.trim()).filter(Boolean);
	return t.length > 1 ? t : t[0] ?? "";
}
var JN = /* @__PURE__ */ B("<option> </option>"), YN = /* @__PURE__ */ B("<span class=\"soft\"> </span>"), XN = /* @__PURE__ */ B("<br/><span class=\"soft\"> </span>", 1), ZN = /* @__PURE__ */ B("<p class=\"fault\"> <!><!></p>"), QN = /* @__PURE__ */ B("<p class=\"soft\"> </p>"), $N = /* @__PURE__ */ B("<button class=\"type svelte-19m0ufo\"> </button>"), eP = /* @__PURE__ */ B("<p class=\"soft small\"> </p>"), tP = /* @__PURE__ */ B("<button class=\"svelte-19m0ufo\"><span aria-hidden=\"true\"> </span> </button>"), nP = /* @__PURE__ */ B("<button> </button>"), rP = /* @__PURE__ */ B("<p class=\"told\"> </p>"), iP = /* @__PURE__ */ B("<div class=\"theirs\"><p class=\"small\"> <code> </code></p> <button> </button></div>"), aP = /* @__PURE__ */ B("<p class=\"fault\" role=\"alert\"> </p>"), oP = /* @__PURE__ */ B("<div class=\"compose svelte-19m0ufo\"><section class=\"panel main svelte-19m0ufo\" aria-labelledby=\"compose\"><header class=\"svelte-19m0ufo\"><h1 id=\"compose\"> </h1> <button> </button> <button> </button> <button> </button> <button> </button></header> <div class=\"row\"><label class=\"name svelte-19m0ufo\"> <input class=\"svelte-19m0ufo\"/></label> <label> <select></select></label></div> <div class=\"text\"><span class=\"label svelte-19m0ufo\"> </span> <!></div> <div aria-live=\"polite\"><!> <!></div> <div class=\"work svelte-19m0ufo\"><nav class=\"palette svelte-19m0ufo\"><h2 class=\"svelte-19m0ufo\"> </h2> <div class=\"some svelte-19m0ufo\"><!> <!></div> <form class=\"row svelte-19m0ufo\"><input class=\"svelte-19m0ufo\"/><button> </button></form> <h2 class=\"svelte-19m0ufo\"> </h2> <div class=\"some svelte-19m0ufo\"></div></nav> <div class=\"draw svelte-19m0ufo\" role=\"region\"><!> <!></div></div> <details class=\"settings svelte-19m0ufo\" open=\"\"><summary> </summary> <div class=\"row svelte-19m0ufo\"><label class=\"svelte-19m0ufo\"> <input placeholder=\"10 min\" class=\"svelte-19m0ufo\"/></label> <label class=\"svelte-19m0ufo\"> <select class=\"svelte-19m0ufo\"><option> </option><!></select></label> <label class=\"svelte-19m0ufo\"> <input class=\"svelte-19m0ufo\"/></label> <label class=\"svelte-19m0ufo\"> <input class=\"svelte-19m0ufo\"/></label> <label class=\"svelte-19m0ufo\"> <select class=\"svelte-19m0ufo\"><option></option><!></select></label> <label class=\"wide svelte-19m0ufo\"> <input class=\"svelte-19m0ufo\"/></label> <label class=\"wide svelte-19m0ufo\"> <input class=\"svelte-19m0ufo\"/></label></div></details> <div class=\"row\"><button class=\"primary\"> </button> <!> <button> </button> <button> </button> <button> </button> <button> </button></div> <div role=\"status\"><!></div> <!> <!></section> <div class=\"beside svelte-19m0ufo\"><!><!></div></div>"), sP = {
	hash: "svelte-19m0ufo",
	code: ".compose.svelte-19m0ufo {display:grid;gap:1rem;grid-template-columns:minmax(0, 1fr);align-items:start;}.beside.svelte-19m0ufo {display:grid;gap:1rem;}.main.svelte-19m0ufo {display:grid;gap:0.8rem;}.main.svelte-19m0ufo > header:where(.svelte-19m0ufo) {margin:0;}.name.svelte-19m0ufo {flex:1 1 12rem;}.name.svelte-19m0ufo input:where(.svelte-19m0ufo) {width:100%;}.label.svelte-19m0ufo {font-size:0.85rem;color:var(--soft);}.work.svelte-19m0ufo {display:grid;gap:0.8rem;grid-template-columns:minmax(0, 1fr);}.palette.svelte-19m0ufo {display:grid;gap:0.5rem;align-content:start;}.palette.svelte-19m0ufo h2:where(.svelte-19m0ufo) {font-size:0.85rem;color:var(--soft);}.palette.svelte-19m0ufo form:where(.svelte-19m0ufo) input:where(.svelte-19m0ufo) {width:8rem;flex:1;}.some.svelte-19m0ufo {display:flex;flex-wrap:wrap;gap:0.35rem;}.some.svelte-19m0ufo button:where(.svelte-19m0ufo) {font-size:0.85rem;padding:0.2rem 0.6rem;min-height:1.9rem;}.type.svelte-19m0ufo {border-radius:999px;background:var(--accent-soft);}.draw.svelte-19m0ufo {display:grid;gap:0.6rem;min-width:0;}.settings.svelte-19m0ufo .row:where(.svelte-19m0ufo) {align-items:end;margin-top:0.5rem;}.settings.svelte-19m0ufo input:where(.svelte-19m0ufo), .settings.svelte-19m0ufo select:where(.svelte-19m0ufo) {display:block;width:100%;}.settings.svelte-19m0ufo label:where(.svelte-19m0ufo) {flex:1 1 9rem;}.settings.svelte-19m0ufo .wide:where(.svelte-19m0ufo) {flex:2 1 16rem;}\n  @media (min-width: 760px) {.work.svelte-19m0ufo {grid-template-columns:13.5rem minmax(0, 1fr);} }\n  @media (min-width: 1200px) {.compose.svelte-19m0ufo {grid-template-columns:minmax(0, 5fr) minmax(22rem, 2fr);} }"
};
function cP(e, t) {
	D(t, !0), Pi(e, sP);
	let n = K.compose, r = new BN(oo.api), i = /* @__PURE__ */ j(""), a = /* @__PURE__ */ j(""), o = "", s = /* @__PURE__ */ k(() => r.document), c = /* @__PURE__ */ k(() => {
		let [e] = [R(s).callback].flat();
		return typeof e == "string" ? e : e?.url ?? "";
	});
	Pn(() => {
		let e = co.query.toString();
		co.view === "compose" && e !== o && (o = e, r.begin(co.query));
	}), co.query.size || r.begin(co.query);
	function l(e, t) {
		let [n, i] = _v(r.drawing, e, t, r.selected);
		r.setDrawing(n, !0), r.selected = e === "Primitive" ? r.selected : i;
	}
	function u(e) {
		let t = new Set(r.drawing.pieces.map((e) => e.fields.variable)), n = e;
		for (let r = 2; t.has(n); r++) n = `${e}${r}`;
		l("Primitive", {
			type: e,
			variable: n
		});
	}
	function d(e) {
		e.preventDefault(), R(a).trim() && u(R(a).trim()), M(a, "");
	}
	async function f(e) {
		let t = r.notations.find((t) => t.language === e)?.document, { name: n, callback: i } = R(s);
		t ? await r.setDocument({
			...t,
			...n ? { name: n } : {},
			...i ? { callback: i } : {}
		}) : r.setSetting("language", e);
	}
	async function p() {
		await navigator.clipboard?.writeText(r.link()).catch(() => {}), history.replaceState(null, "", r.link()), M(i, n.copied, !0);
	}
	function m(e) {
		e.target instanceof HTMLElement && e.target.closest("input, textarea, .cm-editor") || !(e.ctrlKey || e.metaKey) || e.key.toLowerCase() !== "z" || (e.preventDefault(), e.shiftKey ? r.redo() : r.undo());
	}
	var h = oP();
	qr("keydown", hn, m);
	var g = N(h), _ = N(g), v = N(_), y = F(v), b = I(v, 2), x = F(b, !0), S = I(b, 2), C = F(S, !0), w = I(S, 2), ee = F(w, !0), te = I(w, 2), ne = F(te, !0);
	E(_);
	var re = I(_, 2), ie = N(re), ae = N(ie, !0), oe = I(ae);
	da(oe), E(ie);
	var se = I(ie, 2), ce = N(se), le = I(ce);
	Ei(le, 20, () => PM, (e) => e, (e, t) => {
		var n = JN(), r = F(n, !0), i = {};
		L(() => {
			H(r, FM[t]), i !== (i = t) && (n.value = (n.__value = i) ?? "");
		}), V(e, n);
	}), E(le);
	var ue;
	Qi(le), E(se), E(re);
	var de = I(re, 2), fe = N(de), pe = F(fe, !0), me = I(fe, 2);
	{
		let e = /* @__PURE__ */ k(() => r.faults.filter((e) => e.key === "expression"));
		VM(me, {
			get text() {
				return R(s).expression;
			},
			get language() {
				return R(s).language;
			},
			get label() {
				return n.expression;
			},
			get types() {
				return r.types;
			},
			get faults() {
				return R(e);
			},
			onchange: (e) => r.setText(e)
		});
	}
	E(de);
	var he = I(de, 2), ge = N(he);
	Ei(ge, 17, () => r.faults, Si, (e, t) => {
		var n = ZN(), r = N(n), i = I(r), a = (e) => {
			var n = YN(), r = F(n);
			L(() => H(r, `- expected ${R(t).expected ?? ""}`)), V(e, n);
		};
		U(i, (e) => {
			R(t).expected && e(a);
		});
		var o = I(i), s = (e) => {
			var n = XN(), r = F(I(P(n)), !0);
			L(() => H(r, R(t).hint)), V(e, n);
		};
		U(o, (e) => {
			R(t).hint && e(s);
		}), E(n), L(() => H(r, `${R(t).key && R(t).key !== "expression" ? `${R(t).key}: ` : ""}${R(t).line ? `${R(t).line}:${R(t).column ?? 1}: ` : ""}${R(t).message ?? ""}`)), V(e, n);
	}), Ei(I(ge, 2), 17, () => r.incomplete, Si, (e, t) => {
		var i = QN(), a = F(i, !0);
		L((e) => H(a, e), [() => n.open(r.lacking(R(t)))]), V(e, i);
	}), E(he);
	var _e = I(he, 2), ve = N(_e), ye = N(ve), be = F(ye, !0), xe = I(ye, 2), Se = N(xe);
	Ei(Se, 16, () => r.types.keys(), (e) => e, (e, t) => {
		var n = $N(), r = F(n, !0);
		L(() => H(r, t)), z("click", n, () => u(t)), V(e, n);
	});
	var Ce = I(Se, 2), we = (e) => {
		var t = eP(), r = F(t, !0);
		L(() => H(r, n.noTypes)), V(e, t);
	};
	U(Ce, (e) => {
		r.types.size || e(we);
	}), E(xe);
	var Te = I(xe, 2), Ee = N(Te);
	da(Ee);
	var De = F(I(Ee), !0);
	E(Te);
	var T = I(Te, 2), Oe = F(T, !0), ke = I(T, 2);
	Ei(ke, 20, () => nv, (e) => e, (e, t) => {
		var n = tP(), r = N(n), i = F(r, !0), a = I(r);
		E(n), L(() => {
			W(n, "title", tv[t].hint), H(i, tv[t].sign), H(a, ` ${tv[t].title ?? ""}`);
		}), z("click", n, () => l(t, structuredClone(tv[t].fresh))), V(e, n);
	}), E(ke), E(ve);
	var Ae = I(ve, 2), je = N(Ae);
	w_(je, {
		children: (e, t) => {
			jv(e, { get composer() {
				return r;
			} });
		},
		$$slots: { default: !0 }
	}), TN(I(je, 2), { get composer() {
		return r;
	} }), E(Ae), E(_e);
	var Me = I(_e, 2), Ne = N(Me), Pe = F(Ne, !0), Fe = I(Ne, 2), Ie = N(Fe), Le = N(Ie, !0), Re = I(Le);
	da(Re), E(Ie);
	var ze = I(Ie, 2), Be = N(ze), Ve = I(Be), He = N(Ve), Ue = F(He, !0);
	He.value = He.__value = "", Ei(I(He), 16, () => LM, (e) => e, (e, t) => {
		var n = JN(), r = F(n, !0), i = {};
		L(() => {
			H(r, t), i !== (i = t) && (n.__value = i);
		}), V(e, n);
	}), E(Ve);
	var We;
	Qi(Ve), E(ze);
	var Ge = I(ze, 2), Ke = N(Ge, !0), qe = I(Ke);
	da(qe), E(Ge);
	var Je = I(Ge, 2), Ye = N(Je, !0), Xe = I(Ye);
	da(Xe), E(Je);
	var Ze = I(Je, 2), Qe = N(Ze), $e = I(Qe), et = N($e);
	et.value = et.__value = "", Ei(I(et), 16, () => RM, (e) => e, (e, t) => {
		var n = JN(), r = F(n, !0), i = {};
		L(() => {
			H(r, t), i !== (i = t) && (n.__value = i);
		}), V(e, n);
	}), E($e);
	var tt;
	Qi($e), E(Ze);
	var nt = I(Ze, 2), rt = N(nt, !0), it = I(rt);
	da(it), E(nt);
	var at = I(nt, 2), ot = N(at, !0), st = I(ot);
	da(st), E(at), E(Fe), E(Me);
	var ct = I(Me, 2), lt = N(ct), ut = F(lt, !0), dt = I(lt, 2), ft = (e) => {
		var t = nP(), i = F(t, !0);
		L(() => {
			t.disabled = !r.notations.length, H(i, n.shadow);
		}), z("click", t, () => r.save(!0)), V(e, t);
	};
	U(dt, (e) => {
		r.opened && e(ft);
	});
	var pt = I(dt, 2), mt = F(pt, !0), ht = I(pt, 2), gt = F(ht, !0), _t = I(ht, 2), vt = F(_t, !0), yt = I(_t, 2), bt = F(yt, !0);
	E(ct);
	var xt = I(ct, 2), St = N(xt), Ct = (e) => {
		var t = rP(), n = F(t, !0);
		L(() => H(n, r.saved)), V(e, t);
	}, wt = (e) => {
		var t = rP(), n = F(t, !0);
		L(() => H(n, R(i))), V(e, t);
	};
	U(St, (e) => {
		r.saved ? e(Ct) : R(i) && e(wt, 1);
	}), E(xt);
	var Tt = I(xt, 2), Et = (e) => {
		var t = iP(), i = N(t), a = N(i), o = F(I(a), !0);
		E(i);
		var s = I(i, 2), c = F(s, !0);
		E(t), L((e) => {
			H(a, `${e ?? ""} `), H(o, r.theirs.request.document.expression), H(c, n.takeTheirs);
		}, [() => n.theirs(r.theirs.actor, r.theirs.request.version)]), z("click", s, () => r.takeTheirs()), V(e, t);
	};
	U(Tt, (e) => {
		r.theirs && e(Et);
	}), Ei(I(Tt, 2), 17, () => r.saveFaults, Si, (e, t) => {
		var n = aP(), r = F(n);
		L(() => H(r, `${R(t).key ? `${R(t).key}: ` : ""}${R(t).message ?? ""}${R(t).hint ? ` - ${R(t).hint}` : ""}`)), V(e, n);
	}), E(g);
	var Dt = I(g, 2), Ot = N(Dt);
	hN(Ot, { get composer() {
		return r;
	} }), FN(I(Ot), { get composer() {
		return r;
	} }), E(Dt), E(h), L((e) => {
		H(y, `${n.title ?? ""}${r.opened ? `: ${r.opened.name}` : ""}`), b.disabled = !r.done.length, H(x, n.undo), S.disabled = !r.undone.length, H(C, n.redo), H(ee, n.tidy), H(ne, n.fresh), H(ae, n.name), fa(oe, R(s).name ?? ""), H(ce, `${n.language ?? ""} `), ue !== (ue = R(s).language) && (le.value = (le.__value = ue) ?? "", Zi(le, ue)), H(pe, n.expression), W(ve, "aria-label", n.pieces), H(be, n.events), W(Ee, "aria-label", n.newType), W(Ee, "placeholder", n.newType), H(De, n.add), H(Oe, n.operators), W(Ae, "aria-label", n.drawing), H(Pe, n.settings), H(Le, n.window), fa(Re, R(s).window ?? ""), H(Be, `${n.context ?? ""} `), H(Ue, n.contextDefault), We !== (We = R(s).context ?? "") && (Ve.value = (Ve.__value = We) ?? "", Zi(Ve, We)), H(Ke, n.condition), fa(qe, R(s).condition ?? ""), H(Ye, n.by), fa(Xe, e), H(Qe, `${n.severity ?? ""} `), tt !== (tt = R(s).severity ?? "") && ($e.value = ($e.__value = tt) ?? "", Zi($e, tt)), H(rt, n.notify), fa(it, R(s).notify ?? ""), W(it, "placeholder", n.notifyHint), H(ot, n.callback), fa(st, R(c)), W(st, "placeholder", n.callbackHint), lt.disabled = !r.notations.length || !R(s).name, H(ut, r.opened ? n.saveChange : n.save), pt.disabled = !R(s).expression, H(mt, n.copy), ht.disabled = !R(s).expression, H(gt, n.exportYaml), _t.disabled = !r.notations.length || !r.program, H(vt, n.exportPython), yt.disabled = !R(s).expression, H(bt, n.exportSvg);
	}, [() => [R(s).by ?? ""].flat().join(", ")]), z("click", b, () => r.undo()), z("click", S, () => r.redo()), z("click", w, () => r.tidy()), z("click", te, () => (r.fresh(), co.go("compose"))), z("input", oe, (e) => r.setSetting("name", e.currentTarget.value)), z("change", le, (e) => f(e.currentTarget.value)), qr("submit", Te, d), ya(Ee, () => R(a), (e) => M(a, e)), z("change", Re, (e) => r.setSetting("window", e.currentTarget.value)), z("change", Ve, (e) => r.setSetting("context", e.currentTarget.value)), z("change", qe, (e) => r.setSetting("condition", e.currentTarget.value)), z("change", Xe, (e) => r.setSetting("by", qN(e.currentTarget.value))), z("change", $e, (e) => r.setSetting("severity", e.currentTarget.value)), z("change", it, (e) => r.setSetting("notify", e.currentTarget.value)), z("change", st, (e) => r.setSetting("callback", e.currentTarget.value && [{ url: e.currentTarget.value }])), z("click", lt, () => r.save()), z("click", pt, p), z("click", ht, () => KN(`${R(s).name || "rule"}.yaml`, UN(R(s)), "text/yaml")), z("click", _t, () => KN(`${R(s).name || "rule"}.py`, r.program, "text/x-python")), z("click", yt, () => KN(`${R(s).name || "rule"}.svg`, GN(r.drawing, R(s).name ?? ""), "image/svg+xml")), V(e, h), O();
}
Jr([
	"click",
	"input",
	"change"
]);
// src/parts/GraphNode.svelte
var lP = /* @__PURE__ */ B("<div> </div>"), uP = /* @__PURE__ */ B("<div class=\"holds svelte-1rea45o\"><meter min=\"0\" max=\"1\" aria-hidden=\"true\" class=\"svelte-1rea45o\"></meter> </div>"), dP = /* @__PURE__ */ B("<div class=\"part svelte-1rea45o\"><!> <strong class=\"svelte-1rea45o\"> </strong> <!> <!> <!></div>"), fP = {
	hash: "svelte-1rea45o",
	code: ".part.svelte-1rea45o {background:var(--panel);color:var(--text);border:2px solid var(--line);border-radius:10px;padding:0.4rem 0.7rem;width:190px;font-size:12px;box-shadow:var(--shadow);text-align:left;overflow-wrap:anywhere;}.part[data-kind='type'].svelte-1rea45o {border-radius:22px;background:var(--accent-soft);border-color:var(--water);}.part[data-kind='rule'].svelte-1rea45o {border-color:var(--accent);border-width:3px;}.part[data-kind='absence'].svelte-1rea45o {border-style:dashed;border-color:var(--high);}.part[data-kind='chain'].svelte-1rea45o {border-style:double;border-width:4px;border-color:var(--low);}strong.svelte-1rea45o {font-size:13px;}.holds.svelte-1rea45o {color:var(--soft);}meter.svelte-1rea45o {width:60px;height:8px;}.part.svelte-1rea45o .svelte-flow__handle {opacity:0;}"
};
function pP(e, t) {
	D(t, !0), Pi(e, fP);
	let n = /* @__PURE__ */ k(() => t.data);
	var r = dP(), i = N(r);
	jh(i, {
		type: "target",
		get position() {
			return q.Left;
		}
	});
	var a = I(i, 2), o = F(a, !0), s = I(a, 2);
	Ei(s, 17, () => R(n).lines.slice(0, 3), Si, (e, t) => {
		var n = lP(), r = F(n, !0);
		L(() => H(r, R(t))), V(e, n);
	});
	var c = I(s, 2), l = (e) => {
		var t = uP(), r = N(t), i = I(r);
		E(t), L(() => {
			fa(r, R(n).share), H(i, ` ${R(n).told ?? ""}`);
		}), V(e, t);
	};
	U(c, (e) => {
		R(n).told && e(l);
	}), jh(I(c, 2), {
		type: "source",
		get position() {
			return q.Right;
		}
	}), E(r), L(() => {
		W(r, "data-kind", R(n).kind), H(o, R(n).title);
	}), V(e, r), O();
}
function mP(e, t) {
	let n = e.graphs.flatMap((e, t) => e.nodes.map((e) => ({
		...e,
		id: `${t}.${e.id}`
	}))), r = e.graphs.flatMap((e, t) => e.edges.map((e) => ({
		source: `${t}.${e.source}`,
		target: `${t}.${e.target}`,
		kind: e.kind
	})));
	t && (n = n.filter((e) => e.rules.includes(t)));
	let i = n.length > 300 ? n.length : 0;
	i && ([n, r] = hP(n));
	let a = new Set(n.map((e) => e.id));
	return r = r.filter((e) => a.has(e.source) && a.has(e.target)), {
		parts: gP(n, r),
		links: r,
		whole: i
	};
}
function hP(e) {
	let t = e.filter((e) => e.kind === "rule").slice(0, 300), n = e.filter((e) => e.kind === "type").slice(0, 300), r = n.flatMap((e) => t.filter((t) => e.rules.some((e) => t.rules.includes(e))).map((t) => ({
		source: e.id,
		target: t.id,
		kind: "flow"
	})));
	return [[...n, ...t], r];
}
function gP(e, t) {
	let n = /* @__PURE__ */ new Map();
	for (let e of t) n.set(e.target, [...n.get(e.target) ?? [], e.source]);
	let r = /* @__PURE__ */ new Map(), i = (e, t) => {
		let a = r.get(e);
		if (a !== void 0) return a;
		if (t.has(e)) return 0;
		let o = Math.max(-1, ...(n.get(e) ?? []).map((n) => i(n, /* @__PURE__ */ new Set([...t, e])))) + 1;
		return r.set(e, o), o;
	}, a = e.filter((e) => e.kind === "rule").map((e) => e.rules[0] ?? ""), o = (e) => Math.min(...e.rules.map((e) => a.indexOf(e)), a.length);
	e = [...e].sort((e, t) => o(e) - o(t));
	let s = /* @__PURE__ */ new Map(), c = Math.max(0, ...e.map((e) => i(e.id, /* @__PURE__ */ new Set())));
	return e.map((e) => {
		let t = e.kind === "rule" ? c : i(e.id, /* @__PURE__ */ new Set()), n = s.get(t) ?? 0;
		return s.set(t, n + 1), {
			...e,
			x: t * 250,
			y: n * 125
		};
	});
}
// src/views/Graph.svelte
var _P = /* @__PURE__ */ B("<option> </option>"), vP = /* @__PURE__ */ B("<select><option> </option><!></select>"), yP = /* @__PURE__ */ B("<p class=\"fault\" role=\"alert\"> </p>"), bP = /* @__PURE__ */ B("<p class=\"empty\"> <a href=\"#/compose\"> </a></p>"), xP = /* @__PURE__ */ B("<!><!>", 1), SP = /* @__PURE__ */ B("<div class=\"canvas svelte-1ahi164\"><!></div>"), CP = /* @__PURE__ */ B("<tr><td> </td><td class=\"number\"> </td><td class=\"number\"> </td><td class=\"number\"> </td><td class=\"number\"> </td><td class=\"number\"> </td></tr>"), wP = /* @__PURE__ */ B("<p class=\"soft small\"> </p> <!> <h2> </h2> <div class=\"scroll\" tabindex=\"0\" role=\"group\"><table><thead><tr><th> </th><th class=\"number\"> </th><th class=\"number\"> </th><th class=\"number\"> </th><th class=\"number\"> </th><th class=\"number\"> </th></tr></thead><tbody></tbody></table></div>", 1), TP = /* @__PURE__ */ B("<p class=\"soft\"> </p>"), EP = /* @__PURE__ */ B("<section class=\"panel\" aria-labelledby=\"graph\"><header><h1 id=\"graph\"> </h1> <!></header> <!> <!></section>"), DP = {
	hash: "svelte-1ahi164",
	code: ".canvas.svelte-1ahi164 {height:clamp(20rem, 58vh, 46rem);border:1px solid var(--line);border-radius:10px;overflow:hidden;margin:0.6rem 0 1rem;}.canvas.svelte-1ahi164 .svelte-flow {--xy-background-color: var(--sunk);}.canvas.svelte-1ahi164 .pipe path.svelte-flow__edge-path {stroke:var(--water);stroke-width:4;}.canvas.svelte-1ahi164 .pipe.animated path.svelte-flow__edge-path {stroke-dasharray:12 6;}.canvas.svelte-1ahi164 .svelte-flow__controls-button {background:var(--panel);color:var(--text);border-color:var(--line);}.canvas.svelte-1ahi164 .svelte-flow__attribution {background:var(--panel);}.canvas.svelte-1ahi164 .svelte-flow__attribution a {color:var(--soft);}"
};
function OP(e, t) {
	D(t, !0), Pi(e, DP);
	let n = K.graph, r = { part: pP }, i = matchMedia("(prefers-reduced-motion: reduce)").matches, a = /* @__PURE__ */ j(null), o = /* @__PURE__ */ j(""), s = /* @__PURE__ */ j(""), c = /* @__PURE__ */ j([]), l = /* @__PURE__ */ j([]), u = /* @__PURE__ */ k(() => R(a) ? mP(R(a), R(s)) : null), d = /* @__PURE__ */ k(() => R(a) ? Object.entries(R(a).held.rules) : []);
	Pn(() => {
		if (!oo.isOperator) M(o, K.watch.operatorsOnly, !0);
		else return qa(3e3, () => oo.api.get("/v1/graph").then((e) => (M(a, e), M(o, "")), (e) => M(o, e.message || K.connection.unreachable, !0)));
	}), Pn(() => {
		if (!R(u) || !R(a)) return;
		let e = Math.max(1, ...Object.values(R(a).held.rules).map((e) => e.held));
		M(c, R(u).parts.map((t) => {
			let r = t.kind === "rule" ? R(a).held.rules[t.rules[0] ?? ""]?.held : void 0, i = r === void 0 ? t.rules.length > 1 ? n.shared(t.rules.length) : "" : n.holds(r);
			return {
				id: t.id,
				type: "part",
				position: {
					x: t.x,
					y: t.y
				},
				ariaLabel: `${t.kind} ${t.title} ${i}`,
				data: {
					kind: t.kind,
					title: t.title,
					lines: t.kind === "rule" ? [] : t.lines,
					told: i,
					share: (r ?? 0) / e
				}
			};
		})), M(l, R(u).links.map((e, t) => ({
			id: `${t}`,
			source: e.source,
			target: e.target,
			class: "pipe",
			animated: !i && e.kind === "flow"
		})));
	});
	var f = EP(), p = N(f), m = N(p), h = F(m, !0), g = I(m, 2), _ = (e) => {
		var t = vP(), r = N(t), i = F(r, !0);
		r.value = r.__value = "", Ei(I(r), 17, () => R(d), ([e]) => e, (e, t) => {
			var n = /* @__PURE__ */ k(() => v(R(t), 1));
			let r = () => R(n)[0];
			var i = _P(), a = F(i, !0), o = {};
			L(() => {
				H(a, r()), o !== (o = r()) && (i.value = (i.__value = o) ?? "");
			}), V(e, i);
		}), E(t), Qi(t), L(() => {
			W(t, "aria-label", n.only), H(i, n.all);
		}), $i(t, () => R(s), (e) => M(s, e)), V(e, t);
	};
	U(g, (e) => {
		R(d).length && e(_);
	}), E(p);
	var y = I(p, 2), b = (e) => {
		var t = yP(), n = F(t, !0);
		L(() => H(n, R(o))), V(e, t);
	};
	U(y, (e) => {
		R(o) && e(b);
	});
	var x = I(y, 2), S = (e) => {
		var t = bP(), r = N(t), i = F(I(r), !0);
		E(t), L(() => {
			H(r, `${n.none ?? ""} `), H(i, K.views.compose);
		}), V(e, t);
	}, C = (e) => {
		var t = wP(), i = P(t), o = F(i), f = I(i, 2);
		xi(f, () => R(s), (e) => {
			var t = SP(), n = N(t);
			{
				let e = /* @__PURE__ */ k(() => so.isDark ? "dark" : "light");
				C_(n, {
					get nodeTypes() {
						return r;
					},
					get colorMode() {
						return R(e);
					},
					fitView: !0,
					fitViewOptions: { maxZoom: 1.1 },
					minZoom: .05,
					nodesConnectable: !1,
					onlyRenderVisibleElements: !0,
					zoomOnScroll: !1,
					preventScrolling: !1,
					deleteKey: null,
					get nodes() {
						return R(c);
					},
					set nodes(e) {
						M(c, e);
					},
					get edges() {
						return R(l);
					},
					set edges(e) {
						M(l, e);
					},
					children: (e, t) => {
						var n = xP(), r = P(n);
						Y_(r, {}), V_(I(r), { showLock: !1 }), V(e, n);
					},
					$$slots: { default: !0 }
				});
			}
			E(t), V(e, t);
		});
		var p = I(f, 2), m = F(p, !0), h = I(p, 2), g = N(h), _ = N(g), y = N(_), b = N(y), x = F(b, !0), S = I(b), C = F(S, !0), w = I(S), ee = F(w, !0), te = I(w), ne = F(te, !0), re = I(te), ie = F(re, !0), ae = F(I(re), !0);
		E(y), E(_);
		var oe = I(_);
		Ei(oe, 21, () => R(d), ([e, t]) => e, (e, t) => {
			var n = /* @__PURE__ */ k(() => v(R(t), 2));
			let r = () => R(n)[0], i = () => R(n)[1];
			var a = CP(), o = N(a), s = F(o, !0), c = I(o), l = F(c, !0), u = I(c), d = F(u, !0), f = I(u), p = F(f, !0), m = I(f), h = F(m, !0), g = F(I(m), !0);
			E(a), L((e, t, n, i, a) => {
				H(s, r()), H(l, e), H(d, t), H(p, n), H(h, i), H(g, a);
			}, [
				() => i().seen.toLocaleString("en-US"),
				() => i().held.toLocaleString("en-US"),
				() => i().bytes.toLocaleString("en-US"),
				() => (i().late + i().refused).toLocaleString("en-US"),
				() => i().detections.toLocaleString("en-US")
			]), V(e, a);
		}), E(oe), E(g), E(h), L((e) => {
			H(o, `${R(a).said ?? ""} ${e ?? ""}`), H(m, n.asText), W(h, "aria-label", n.asText), H(x, n.rule), H(C, n.seen), H(ee, K.watch.held), H(ne, n.bytes), H(ie, K.watch.late), H(ae, K.watch.found);
		}, [() => R(u).whole ? n.aggregated(R(u).whole) : ""]), V(e, t);
	}, w = (e) => {
		var t = TP(), n = F(t, !0);
		L(() => H(n, K.loading)), V(e, t);
	};
	U(x, (e) => {
		R(a) && !R(d).length ? e(S) : R(a) && R(u) ? e(C, 1) : R(o) || e(w, 2);
	}), E(f), L(() => H(h, n.title)), V(e, f), O();
}
// src/lib/marks.svelte.ts
function kP(e) {
	return `${e.type} ${e.source ?? ""} ${String(e.time)} ${e.id ?? ""}`;
}
var AP = class {
	#e = /* @__PURE__ */ j([{
		id: 1,
		belongs: !0,
		events: []
	}]);
	get groups() {
		return R(this.#e);
	}
	set groups(e) {
		M(this.#e, e);
	}
	#t = /* @__PURE__ */ j(1);
	get current() {
		return R(this.#t);
	}
	set current(e) {
		M(this.#t, e, !0);
	}
	get isReady() {
		return this.groups.some((e) => e.belongs && e.events.length);
	}
	add(e) {
		let t = Math.max(...this.groups.map((e) => e.id)) + 1;
		this.groups = [...this.groups, {
			id: t,
			belongs: e,
			events: []
		}], this.current = t;
	}
	toggle(e, t = this.current) {
		let n = kP(e);
		this.groups = this.groups.map((r) => {
			if (r.id !== t) return r;
			let i = r.events.filter((e) => kP(e) !== n);
			return {
				...r,
				events: i.length < r.events.length ? i : [...i, e]
			};
		});
	}
	holds(e) {
		let t = kP(e);
		return this.groups.some((e) => e.id === this.current && e.events.some((e) => kP(e) === t));
	}
	asked() {
		let e = (e) => this.groups.filter((t) => t.belongs === e && t.events.length).map((e) => e.events.map((e) => ({
			type: e.type,
			time: String(Array.isArray(e.time) ? e.time[e.time.length - 1] : e.time),
			...e.source ? { source: e.source } : {},
			...e.id ? { id: e.id } : {}
		})));
		return {
			together: e(!0),
			apart: e(!1)
		};
	}
}, jP = /* @__PURE__ */ B("<span class=\"chip svelte-nhpygb\"> <span class=\"soft\"> </span> <button class=\"plain\">✕</button></span>"), MP = /* @__PURE__ */ B("<span class=\"soft\"> </span>"), NP = /* @__PURE__ */ B("<li><label><input type=\"radio\" name=\"group\"/> <strong> </strong></label> <span class=\"small\"></span></li>"), PP = /* @__PURE__ */ B("<li><label class=\"small\"><input type=\"checkbox\"/> <strong> </strong> </label></li>"), FP = /* @__PURE__ */ B("<p class=\"fault\" role=\"alert\"> </p>"), IP = /* @__PURE__ */ B("<p class=\"soft small\"> </p>"), LP = /* @__PURE__ */ B("<p> </p>"), RP = /* @__PURE__ */ B("<p class=\"small\"> </p> <!> <!>", 1), zP = /* @__PURE__ */ B("<li> </li>"), BP = /* @__PURE__ */ B("<li><code class=\"svelte-nhpygb\"> </code> <p class=\"small\"> <strong> </strong></p> <ul class=\"soft small svelte-nhpygb\"></ul> <a class=\"button small\"> </a></li>"), VP = /* @__PURE__ */ B("<ol class=\"found svelte-nhpygb\"></ol>"), HP = /* @__PURE__ */ B("<section class=\"panel svelte-nhpygb\" aria-labelledby=\"examples\"><header><h2 id=\"examples\"> </h2></header> <p class=\"soft small\"> </p> <ul class=\"groups svelte-nhpygb\"></ul> <div class=\"row\"><button> </button> <button> </button> <button class=\"primary\"> </button></div> <details><summary> </summary> <ul class=\"events svelte-nhpygb\"></ul></details> <!> <div role=\"status\"><!></div> <!></section>"), UP = {
	hash: "svelte-nhpygb",
	code: "section.svelte-nhpygb {display:grid;gap:0.6rem;}.groups.svelte-nhpygb, .events.svelte-nhpygb {list-style:none;padding:0;margin:0;display:grid;gap:0.3rem;}.events.svelte-nhpygb {max-height:14rem;overflow:auto;}.chip.svelte-nhpygb {display:inline-block;border:1px solid var(--line);border-radius:6px;padding:0.1rem 0.4rem;margin:0.1rem;}.found.svelte-nhpygb {margin:0;padding-left:1.4rem;display:grid;gap:0.7rem;}.found.svelte-nhpygb ul:where(.svelte-nhpygb) {margin:0.2rem 0;padding-left:1rem;}code.svelte-nhpygb {overflow-wrap:anywhere;}"
};
function WP(e, t) {
	D(t, !0), Pi(e, UP);
	let n = [], r = G(t, "marks", 7), i = K.examples, a = /* @__PURE__ */ j(null), o = /* @__PURE__ */ j(""), s = /* @__PURE__ */ j(!1);
	async function c() {
		((e) => {
			var t = v(e, 3);
			M(s, t[0], !0), M(o, t[1], !0), M(a, t[2]);
		})([
			!0,
			"",
			null
		]);
		try {
			M(a, await oo.api.post("/v1/proposals", r().asked()));
		} catch (e) {
			M(o, e.message || K.connection.unreachable, !0);
		}
		M(s, !1);
	}
	function l(e) {
		return so.time(Array.isArray(e.time) ? e.time[e.time.length - 1] : e.time ?? e.arrival, !0);
	}
	var u = HP(), d = N(u), f = F(N(d), !0);
	E(d);
	var p = I(d, 2), m = F(p, !0), h = I(p, 2);
	Ei(h, 23, () => r().groups, (e) => e.id, (e, t, a) => {
		var o = NP(), s = N(o), c = N(s);
		da(c);
		var u, d = F(I(c, 2), !0);
		E(s);
		var f = I(s, 2);
		Ei(f, 21, () => R(t).events, Si, (e, n) => {
			var a = jP(), o = N(a), s = I(o), c = F(s), u = I(s, 2);
			E(a), L((e, t) => {
				H(o, `${R(n).type ?? ""} `), H(c, `${R(n).source ?? "" ?? ""} ${e ?? ""}`), W(u, "aria-label", t);
			}, [() => l(R(n)), () => i.remove(R(n).type ?? "")]), z("click", u, () => r().toggle(R(n), R(t).id)), V(e, a);
		}, (e) => {
			var t = MP(), n = F(t, !0);
			L(() => H(n, i.empty)), V(e, t);
		}), E(f), E(o), L((e) => {
			u !== (u = R(t).id) && (c.value = (c.__value = u) ?? ""), H(d, e);
		}, [() => R(t).belongs ? i.together(R(a) + 1) : i.apart(R(a) + 1)]), xa(n, [], c, () => (R(t).id, r().current), (e) => r().current = e), V(e, o);
	}), E(h);
	var g = I(h, 2), _ = N(g), y = F(_, !0), b = I(_, 2), x = F(b, !0), S = I(b, 2), C = F(S, !0);
	E(g);
	var w = I(g, 2), ee = N(w), te = F(ee), ne = I(ee, 2);
	Ei(ne, 21, () => t.inView, Si, (e, t) => {
		var n = PP(), i = N(n), a = N(i);
		da(a);
		var o = I(a), s = I(o), c = F(s, !0), u = I(s);
		E(i), E(n), L((e, n) => {
			pa(a, e), H(o, ` ${n ?? ""} `), H(c, R(t).type), H(u, ` ${R(t).source ?? "" ?? ""}`);
		}, [() => r().holds(R(t)), () => l(R(t))]), z("change", a, () => r().toggle(R(t))), V(e, n);
	}), E(ne), E(w);
	var re = I(w, 2), ie = (e) => {
		var t = FP(), n = F(t, !0);
		L(() => H(n, R(o))), V(e, t);
	};
	U(re, (e) => {
		R(o) && e(ie);
	});
	var ae = I(re, 2), oe = N(ae), se = (e) => {
		var t = RP(), n = P(t), r = F(n, !0), o = I(n, 2);
		Ei(o, 16, () => R(a).remarks, (e) => e, (e, t) => {
			var n = IP(), r = F(n, !0);
			L(() => H(r, t)), V(e, n);
		});
		var s = I(o, 2), c = (e) => {
			var t = LP(), n = F(t, !0);
			L(() => H(n, i.none)), V(e, t);
		};
		U(s, (e) => {
			R(a).proposals.length || e(c);
		}), L((e) => H(r, e), [() => i.tried(R(a).tried, R(a).events)]), V(e, t);
	};
	U(oe, (e) => {
		R(a) && e(se);
	}), E(ae);
	var ce = I(ae, 2), le = (e) => {
		var t = VP();
		Ei(t, 21, () => R(a).proposals, (e) => e.expression, (e, t) => {
			var n = BP(), r = N(n), o = F(r, !0), s = I(r, 2), c = N(s), l = F(I(c), !0);
			E(s);
			var u = I(s, 2);
			Ei(u, 20, () => R(t).because, (e) => e, (e, t) => {
				var n = zP(), r = F(n, !0);
				L(() => H(r, t)), V(e, n);
			}), E(u);
			var d = I(u, 2), f = F(d, !0);
			E(n), L((e, n, r, a) => {
				H(o, R(t).expression), H(c, `${e ?? ""}${n ?? ""} `), H(l, r), W(d, "href", `#/compose?rule=${a ?? ""}`), H(f, i.open);
			}, [
				() => i.found(R(t).found, R(a).together),
				() => R(a).apart ? ` ${i.wrong(R(t).wrong, R(a).apart)}` : "",
				() => i.fires(R(t).detections, R(t).is_cut),
				() => Ga(JSON.stringify({
					name: "",
					language: "pretty",
					expression: R(t).expression
				}))
			]), V(e, n);
		}), E(t), V(e, t);
	};
	U(ce, (e) => {
		R(a) && e(le);
	}), E(u), L(() => {
		H(f, i.title), H(m, i.lead), H(y, i.addTogether), H(x, i.addApart), S.disabled = !r().isReady || R(s), H(C, R(s) ? K.loading : i.propose), H(te, `${i.inView ?? ""} (${t.inView.length ?? ""})`);
	}), z("click", _, () => r().add(!0)), z("click", b, () => r().add(!1)), z("click", S, c), V(e, u), O();
}
Jr(["click", "change"]);
// src/parts/Severity.svelte
var GP = /* @__PURE__ */ B("<span> </span>"), KP = /* @__PURE__ */ B("<span class=\"severity svelte-1wei6c7\"><svg width=\"14\" height=\"14\" viewBox=\"0 0 16 16\" aria-hidden=\"true\" class=\"svelte-1wei6c7\"><path></path></svg> <!></span>"), qP = {
	hash: "svelte-1wei6c7",
	code: ".severity.svelte-1wei6c7 {display:inline-flex;align-items:center;gap:0.35rem;font-size:0.8rem;font-weight:600;color:var(--soft);white-space:nowrap;}svg.svelte-1wei6c7 {fill:currentColor;flex:none;}[data-severity='critical'].svelte-1wei6c7 {color:var(--critical);}[data-severity='high'].svelte-1wei6c7 {color:var(--high);}[data-severity='medium'].svelte-1wei6c7 {color:var(--medium);}[data-severity='low'].svelte-1wei6c7 {color:var(--low);}[data-severity='informational'].svelte-1wei6c7 {color:var(--informational);}"
};
function JP(e, t) {
	D(t, !0), Pi(e, qP);
	let n = G(t, "of", 3, ""), r = /* @__PURE__ */ k(() => K.severities[n() ?? ""] ?? n()), i = {
		critical: "M8 0 16 8 8 16 0 8z",
		high: "M8 1 16 15H0z",
		medium: "M1 1h14v14H1z",
		low: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1z",
		informational: "M1 6h14v4H1z",
		"": "M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8z"
	};
	var a = KP(), o = N(a), s = F(o), c = I(o, 2), l = (e) => {
		var t = GP(), n = F(t, !0);
		L(() => H(n, R(r))), V(e, t);
	};
	U(c, (e) => {
		n() && e(l);
	}), E(a), L(() => {
		W(a, "data-severity", n() || "none"), W(s, "d", i[n() ?? ""] ?? i[""]);
	}), V(e, a), O();
}
// src/parts/WhyPanel.svelte
var YP = /* @__PURE__ */ B("<p class=\"said svelte-hmu9cc\"> </p>"), XP = /* @__PURE__ */ B("<span class=\"soft small\"> </span>"), ZP = /* @__PURE__ */ B("<li class=\"svelte-hmu9cc\"><div class=\"row\"><strong> </strong> <!></div> <!></li>"), QP = /* @__PURE__ */ B("<li class=\"svelte-hmu9cc\"><span aria-hidden=\"true\" class=\"mark svelte-hmu9cc\"> </span> <span><span class=\"hidden\"> </span><code class=\"svelte-hmu9cc\"> </code> <!></span></li>"), $P = /* @__PURE__ */ B("<h3> </h3> <ol class=\"constituents svelte-hmu9cc\"></ol> <h3> </h3> <ul class=\"met svelte-hmu9cc\"></ul> <p class=\"soft small\"> </p>", 1), eF = /* @__PURE__ */ B("<p class=\"fault\" role=\"alert\"> </p>"), tF = /* @__PURE__ */ B("<p class=\"soft\" role=\"status\"> </p>"), nF = /* @__PURE__ */ B("<section class=\"panel why svelte-hmu9cc\"><header><h2 tabindex=\"-1\" class=\"svelte-hmu9cc\"> </h2> <!> <button class=\"plain\">✕</button></header> <!> <p class=\"soft small\"> </p> <div class=\"row\"><a class=\"button small\"> </a> <a class=\"button small\"> </a></div> <!></section>"), rF = {
	hash: "svelte-hmu9cc",
	code: ".why.svelte-hmu9cc {display:grid;gap:0.7rem;align-content:start;}h2.svelte-hmu9cc:focus {outline:none;}.said.svelte-hmu9cc {font-size:1.05rem;}.constituents.svelte-hmu9cc, .met.svelte-hmu9cc {margin:0;padding:0;list-style:none;display:grid;gap:0.5rem;}.constituents.svelte-hmu9cc li:where(.svelte-hmu9cc) {border-left:3px solid var(--water);padding-left:0.7rem;}.met.svelte-hmu9cc li:where(.svelte-hmu9cc) {display:flex;gap:0.5rem;}.mark.svelte-hmu9cc {color:var(--critical);font-weight:700;}.mark[data-holds='true'].svelte-hmu9cc {color:var(--good);}code.svelte-hmu9cc {overflow-wrap:anywhere;}"
};
function iF(e, t) {
	D(t, !0), Pi(e, rF);
	let n = /* @__PURE__ */ j(0), r = /* @__PURE__ */ j(void 0), i = /* @__PURE__ */ k(() => a(t.detection.id));
	Pn(() => {
		t.detection.id, R(r)?.focus();
	});
	async function a(e) {
		let r = performance.now(), i = await oo.api.get("/v1/why", { detection: e });
		return M(n, Math.round(performance.now() - r), !0), t.onmade?.((i.rules[0]?.fired[0]?.constituents ?? []).flatMap((e) => e.event ?? [])), i;
	}
	function o(e) {
		let { id: t, type: n, source: r, time: i, arrival: a, ...o } = e;
		return o;
	}
	function s(e) {
		return so.time(Array.isArray(e.time) ? e.time[e.time.length - 1] : e.time ?? e.arrival, !0);
	}
	var c = nF(), l = N(c), u = N(l), d = F(u, !0);
	Oa(u, (e) => M(r, e), () => R(r));
	var f = I(u, 2);
	JP(f, { get of() {
		return t.detection.severity;
	} });
	var p = I(f, 2);
	E(l);
	var m = I(l, 2), h = (e) => {
		var n = YP(), r = F(n, !0);
		L(() => H(r, t.detection.notification)), V(e, n);
	};
	U(m, (e) => {
		t.detection.notification && e(h);
	});
	var g = I(m, 2), _ = F(g), v = I(g, 2), y = N(v), b = F(y, !0), x = I(y, 2), S = F(x, !0);
	E(v), yi(I(v, 2), () => R(i), (e) => {
		var t = tF(), n = F(t, !0);
		L(() => H(n, K.detection.asking)), V(e, t);
	}, (e, t) => {
		let r = /* @__PURE__ */ k(() => R(t).rules[0]?.fired[0]);
		var i = ai(), a = P(i), c = (e) => {
			var t = $P(), i = P(t), a = F(i, !0), c = I(i, 2);
			Ei(c, 21, () => R(r).constituents, Si, (e, t) => {
				var n = ZP(), r = N(n), i = N(r), a = F(i, !0), c = I(i, 2), l = (e) => {
					var n = XP(), r = F(n);
					L((e) => H(r, `${R(t).event.type ?? ""} · ${R(t).event.source ?? K.timeline.noSource ?? ""} · ${e ?? ""}`), [() => s(R(t).event)]), V(e, n);
				};
				U(c, (e) => {
					R(t).event && e(l);
				}), E(r);
				var u = I(r, 2), d = (e) => {
					{
						let n = /* @__PURE__ */ k(() => o(R(t).event));
						GM(e, { get of() {
							return R(n);
						} });
					}
				};
				U(u, (e) => {
					R(t).event && e(d);
				}), E(n), L(() => H(a, R(t).name)), V(e, n);
			}), E(c);
			var l = I(c, 2), u = F(l, !0), d = I(l, 2);
			Ei(d, 21, () => R(r).met, Si, (e, t) => {
				var n = QP(), r = N(n), i = F(r, !0), a = I(r, 2), o = N(a), s = F(o), c = I(o), l = F(c, !0), u = I(c, 2), d = (e) => {
					GM(e, { get of() {
						return R(t).values;
					} });
				};
				U(u, (e) => {
					R(t).values && e(d);
				}), E(a), E(n), L(() => {
					W(r, "data-holds", R(t).holds), H(i, R(t).holds ? "✓" : "✕"), H(s, `${(R(t).holds ? K.detection.holds : K.detection.fails) ?? ""}:`), H(l, R(t).text);
				}), V(e, n);
			}), E(d);
			var f = F(I(d, 2), !0);
			L((e) => {
				H(a, K.detection.constituents), H(u, K.detection.met), H(f, e);
			}, [() => K.detection.took(R(n))]), V(e, t);
		};
		U(a, (e) => {
			R(r) && e(c);
		}), V(e, i);
	}, (e, t) => {
		var n = eF(), r = F(n, !0);
		L(() => H(r, R(t).message || K.connection.unreachable)), V(e, n);
	}), E(c), L((e, n) => {
		W(c, "aria-label", `${K.detection.title ?? ""}: ${t.detection.rule ?? ""}`), H(d, t.detection.rule), W(p, "aria-label", K.close), H(_, `${e ?? ""} - ${n ?? ""}`), W(y, "href", `#/timeline?detection=${t.detection.id ?? ""}&at=${t.detection.time ?? ""}`), H(b, K.detection.on), W(x, "href", `#/compose?request=${t.detection.request ?? ""}`), H(S, K.detection.rule);
	}, [() => so.time(t.detection.start, !0), () => so.time(t.detection.time, !0)]), z("click", p, function(...e) {
		t.onclose?.apply(this, e);
	}), V(e, c), O();
}
Jr(["click"]);
// src/lib/records.ts
function aF(e) {
	let t = Array.isArray(e.time) ? e.time[e.time.length - 1] : e.time, n = Date.parse(String(t ?? e.arrival));
	return Number.isNaN(n) ? Date.parse(e.arrival) : n;
}
// src/lib/timeline.ts
function oF(e) {
	let t = /* @__PURE__ */ new Map();
	for (let n of e) {
		let e = t.get(n.source ?? "");
		e ? e.push([aF(n), n]) : t.set(n.source ?? "", [[aF(n), n]]);
	}
	return [...t].map(([e, t]) => (t.sort((e, t) => e[0] - t[0]), {
		source: e,
		times: Float64Array.from(t, (e) => e[0]),
		events: t.map((e) => e[1])
	})).sort((e, t) => t.events.length - e.events.length || e.source.localeCompare(t.source));
}
function sF(e, t) {
	let n = 0, r = e.length;
	for (; n < r;) {
		let i = n + r >> 1;
		e[i] < t ? n = i + 1 : r = i;
	}
	return n;
}
function cF(e, t, n) {
	let r = new Uint32Array(n), i = n / (t.to - t.from), a = sF(e, t.to);
	for (let o = sF(e, t.from); o < a; o++) r[Math.min(n - 1, Math.floor((e[o] - t.from) * i))]++;
	return r;
}
function lF(e, t, n) {
	let r = Math.min(Math.max((e.to - e.from) * t, 10), 3456e7), i = (n - e.from) / (e.to - e.from);
	return {
		from: n - i * r,
		to: n + (1 - i) * r
	};
}
var uF = [
	1,
	2,
	5,
	10,
	20,
	50,
	100,
	200,
	500,
	1e3,
	2e3,
	5e3,
	1e4,
	3e4,
	6e4,
	12e4,
	3e5,
	6e5,
	9e5,
	18e5,
	36e5,
	72e5,
	144e5,
	216e5,
	432e5,
	864e5,
	1728e5,
	6048e5
];
function dF(e, t, n = 110) {
	let r = (e.to - e.from) / t * n, i = uF.find((e) => e >= r) ?? uF[uF.length - 1], a = [];
	for (let t = Math.ceil(e.from / i) * i; t <= e.to; t += i) a.push(t);
	return a;
}
function fF(e, t, n) {
	let r = null, i = n;
	for (let n of e) {
		let e = Math.abs(Date.parse(n.time) - t);
		e <= i && ([r, i] = [n, e]);
	}
	return r;
}
// src/views/Timeline.svelte
var pF = /* @__PURE__ */ B("<p class=\"fault\" role=\"alert\"> </p>"), mF = /* @__PURE__ */ B("<li><button class=\"plain svelte-k2vxlv\"> <strong> </strong> </button></li>"), hF = /* @__PURE__ */ B("<ul class=\"svelte-k2vxlv\"></ul>"), gF = /* @__PURE__ */ B("<aside class=\"svelte-k2vxlv\"><!> <!></aside>"), _F = /* @__PURE__ */ B("<div><section class=\"panel\" aria-labelledby=\"timeline\"><header><h1 id=\"timeline\"> </h1> <select><option> </option><option> </option><option> </option><option> </option></select> <button>←</button> <button>→</button> <button>+</button> <button>−</button> <button> </button> <button> </button></header> <!> <div class=\"canvas svelte-k2vxlv\"><div class=\"surface svelte-k2vxlv\" tabindex=\"0\" role=\"application\" aria-describedby=\"timeline-hint\"><canvas aria-hidden=\"true\" class=\"svelte-k2vxlv\"></canvas></div></div> <p class=\"soft small\" role=\"status\"><!></p> <p class=\"soft small\" id=\"timeline-hint\"> </p> <details><summary> </summary> <!></details></section> <!></div>"), vF = {
	hash: "svelte-k2vxlv",
	code: ".timeline.svelte-k2vxlv {display:grid;gap:1rem;grid-template-columns:minmax(0, 1fr);align-items:start;}\n  @media (min-width: 1100px) {.asks.svelte-k2vxlv {grid-template-columns:minmax(0, 5fr) minmax(20rem, 2fr);} }.canvas.svelte-k2vxlv {overflow:hidden;border:1px solid var(--line);border-radius:8px;}canvas.svelte-k2vxlv {display:block;width:100%;}.surface.svelte-k2vxlv {cursor:grab;touch-action:pan-y;}.surface.svelte-k2vxlv:active {cursor:grabbing;}aside.svelte-k2vxlv {display:grid;gap:1rem;align-content:start;min-width:0;}ul.svelte-k2vxlv {list-style:none;padding:0;margin:0.4rem 0 0;max-height:18rem;overflow:auto;}ul.svelte-k2vxlv button:where(.svelte-k2vxlv) {white-space:normal;text-align:left;}"
};
function yF(e, t) {
	D(t, !0), Pi(e, vF);
	let n = K.timeline, r = 36e5, i = 1e5, a = [
		"critical",
		"high",
		"medium",
		"low",
		"informational"
	], o = /* @__PURE__ */ j(void 0), s = /* @__PURE__ */ j(800), c = /* @__PURE__ */ j([]), l = /* @__PURE__ */ j([]), u = /* @__PURE__ */ j("all"), d = /* @__PURE__ */ j({
		from: Date.now() - r,
		to: Date.now()
	}), f = /* @__PURE__ */ j(null), p = /* @__PURE__ */ j(!0), m = /* @__PURE__ */ j(!1), h = /* @__PURE__ */ j(""), g = /* @__PURE__ */ j(!1), _ = 0, y = null, b = /* @__PURE__ */ k(() => oF(R(c))), x = /* @__PURE__ */ k(() => 46 + Math.max(1, R(b).length) * 30 + 26), S = /* @__PURE__ */ k(() => Float64Array.from(R(l), (e) => Date.parse(e.time))), C = /* @__PURE__ */ k(() => sF(R(S), R(d).from)), w = /* @__PURE__ */ k(() => sF(R(S), R(d).to)), ee = /* @__PURE__ */ j(!1), te = /* @__PURE__ */ j([]), ne = /* @__PURE__ */ k(() => new Set(R(te).map(kP))), re = new AP(), ie = /* @__PURE__ */ j(!1), ae = /* @__PURE__ */ k(() => R(ie) ? ue() : []);
	Pn(() => void ce(R(u))), Pn(() => {
		let e = oo.detections[0]?.number ?? 0;
		R(g) && e > _ && ce(R(u), !0);
	}), Pn(() => {
		let e = co.query.get("detection"), t = e ? R(l).find((t) => t.id === e) : null;
		t && R(f)?.id !== t.id && de(t);
	});
	function oe(e) {
		let t = {
			hour: r,
			sixHours: 6 * r,
			day: 24 * r
		};
		return t[e] ? Date.now() - t[e] : null;
	}
	async function se(e, t) {
		let n = [], r;
		do {
			let i = {
				newest: !0,
				limit: 1e3,
				after: r,
				from: t === null ? void 0 : new Date(t).toISOString()
			}, a = await oo.api.get(e, i);
			n.push(...a.items), r = a.next ?? void 0;
		} while (r && n.length < i);
		return [n, r !== void 0];
	}
	async function ce(e, t = !1) {
		let n = oe(e);
		M(p, !t), M(h, "");
		try {
			let [[e, r], [i]] = await Promise.all([se("/v1/events", n), se("/v1/detections", n)]);
			M(c, e), _ = i[0]?.number ?? 0, M(l, i.sort((e, t) => Date.parse(e.time) - Date.parse(t.time))), M(m, r, !0), t ? M(d, {
				from: R(d).from + (Date.now() - R(d).to),
				to: Date.now()
			}) : le(n);
		} catch (e) {
			M(h, e.message || K.connection.unreachable, !0);
		}
		M(p, !1);
	}
	function le(e) {
		let t = Infinity, n = -Infinity;
		for (let e of oF(R(c))) t = Math.min(t, e.times[0]), n = Math.max(n, e.times[e.times.length - 1]);
		t > n && ([t, n] = [Date.now() - r, Date.now()]);
		let i = Math.max(500, (n - t) * .02);
		M(d, {
			from: e ?? t - i,
			to: (e === null ? n : Math.max(n, Date.now())) + i
		});
	}
	function ue() {
		return R(b).flatMap((e) => {
			let t = sF(e.times, R(d).to);
			return e.events.slice(Math.max(sF(e.times, R(d).from), t - 200), t);
		}).sort((e, t) => aF(e) - aF(t)).slice(-200);
	}
	function de(e) {
		M(te, []), M(f, e);
		let t = Date.parse(e.start), n = Date.parse(e.time), r = Math.max(2e3, (n - t) * .75);
		M(d, {
			from: t - r,
			to: n + r
		});
	}
	Pn(() => {
		so.theme, so.isUtc;
		let e = R(o);
		if (!e) return;
		let [t, n, r] = [
			R(b),
			R(d),
			R(f)
		];
		R(ne), R(ie), re.groups;
		let i = requestAnimationFrame(() => fe(e, t, n, r));
		return () => cancelAnimationFrame(i);
	});
	function fe(e, t, r, i) {
		let a = devicePixelRatio || 1, [o, c] = [Math.round(R(s) * a), Math.round(R(x) * a)];
		(e.width !== o || e.height !== c) && ([e.width, e.height] = [o, c]);
		let u = e.getContext("2d");
		u.setTransform(a, 0, 0, a, 0, 0), u.clearRect(0, 0, R(s), R(x));
		let d = getComputedStyle(e), f = /* @__PURE__ */ new Map(), p = (e) => f.get(e) ?? (f.set(e, d.getPropertyValue(`--${e}`).trim()), f.get(e)), m = R(s) - 96, h = (e) => 96 + (e - r.from) / (r.to - r.from) * m;
		u.font = `12px ${d.fontFamily}`, u.textBaseline = "middle", u.fillStyle = p("soft"), u.fillText(n.detections, 4, 23), t.forEach((e, t) => {
			let r = 46 + t * 30;
			u.fillStyle = t % 2 ? p("panel") : p("sunk"), u.fillRect(0, r, R(s), 30), u.fillStyle = p("text"), u.fillText(ge(e.source || n.noSource, 13), 4, r + 15);
		}), u.strokeStyle = p("line"), u.fillStyle = p("soft");
		for (let e of dF(r, m)) {
			let n = Math.round(h(e)) + .5;
			u.beginPath(), u.moveTo(n, 0), u.lineTo(n, 46 + t.length * 30), u.stroke(), u.fillText(so.time(e), Math.min(n + 3, R(s) - 52), 46 + Math.max(1, t.length) * 30 + 13);
		}
		u.save(), u.beginPath(), u.rect(96, 0, m, R(x)), u.clip(), u.fillStyle = p("water"), t.forEach((e, t) => {
			let n = 46 + t * 30, a = cF(e.times, r, Math.max(1, Math.floor(m)));
			for (let e = 0; e < a.length; e++) {
				let t = a[e];
				if (!t) continue;
				let r = Math.min(24, 8 + 5 * Math.log2(t + 1));
				u.fillRect(96 + e - .5, n + (30 - r) / 2, 2.5, r);
			}
			i && pe(u, e, n, h, p("text"));
		});
		let g = /* @__PURE__ */ new Set();
		for (let e = R(C); e < R(w); e++) {
			let t = R(l)[e], n = `${Math.round(h(R(S)[e]) / 3)} ${t.severity ?? ""}`;
			g.has(n) || (g.add(n), he(u, t, h, p, !1));
		}
		if (i && he(u, i, h, p, !0), R(ie) && me(u, t, h, p), i) {
			u.fillStyle = `${p("accent")}22`;
			let e = h(Date.parse(i.start));
			u.fillRect(e - 2, 0, Math.max(4, h(Date.parse(i.time)) - e + 4), 46 + t.length * 30);
		}
		u.restore();
	}
	function pe(e, t, n, r, i) {
		e.strokeStyle = i, e.lineWidth = 2;
		let a = R(f) ? sF(t.times, Date.parse(R(f).time) + 1) : 0;
		for (let i = R(f) ? sF(t.times, Date.parse(R(f).start) - 1) : 0; i < a; i++) R(ne).has(kP(t.events[i])) && (e.beginPath(), e.arc(r(t.times[i]), n + 15, 7, 0, 7), e.stroke());
		e.lineWidth = 1;
	}
	function me(e, t, n, r) {
		e.lineWidth = 2;
		for (let i of re.groups) {
			e.strokeStyle = r(i.belongs ? "text" : "critical");
			for (let r of i.events) {
				let a = 46 + t.findIndex((e) => e.source === (r.source ?? "")) * 30 + 15;
				e.beginPath(), i.belongs ? e.arc(n(aF(r)), a, 8, 0, 7) : e.rect(n(aF(r)) - 7, a - 7, 14, 14), e.stroke();
			}
		}
		e.lineWidth = 1;
	}
	function he(e, t, n, r, i) {
		let [o, s, c] = [
			n(Date.parse(t.time)),
			23,
			i ? 11 : 7
		], l = a.includes(t.severity ?? "") ? t.severity : "informational";
		e.fillStyle = r(l), e.beginPath(), l === "critical" ? (e.moveTo(o, s - c), e.lineTo(o + c, s), e.lineTo(o, s + c), e.lineTo(o - c, s)) : l === "high" ? (e.moveTo(o, s - c), e.lineTo(o + c, s + c), e.lineTo(o - c, s + c)) : l === "medium" ? e.rect(o - c + 1, s - c + 1, 2 * c - 2, 2 * c - 2) : l === "low" ? e.arc(o, s, c - 1, 0, 7) : e.rect(o - c, s - 2, 2 * c, 5), e.fill(), i && (e.strokeStyle = r("text"), e.stroke());
	}
	function ge(e, t) {
		return e.length > t ? `${e.slice(0, t - 1)}…` : e;
	}
	function _e(e) {
		let t = R(o).getBoundingClientRect();
		return R(d).from + (e.clientX - t.left - 96) / (R(s) - 96) * (R(d).to - R(d).from);
	}
	function ve(e) {
		let t = (R(d).to - R(d).from) * e;
		M(d, {
			from: R(d).from + t,
			to: R(d).to + t
		});
	}
	function ye(e, t = (R(d).from + R(d).to) / 2) {
		M(d, lF(R(d), e, t));
	}
	function be(e) {
		e.preventDefault(), Math.abs(e.deltaX) > Math.abs(e.deltaY) || e.shiftKey ? ve((e.deltaX || e.deltaY) / 800) : ye(e.deltaY > 0 ? 1.2 : 1 / 1.2, _e(e));
	}
	function xe(e) {
		y = {
			x: e.clientX,
			view: R(d),
			moved: !1
		}, e.currentTarget.setPointerCapture(e.pointerId);
	}
	function Se(e) {
		if (!y) return;
		let t = e.clientX - y.x;
		if (Math.abs(t) < 3 && !y.moved) return;
		y.moved = !0;
		let n = -t / (R(s) - 96) * (y.view.to - y.view.from);
		M(d, {
			from: y.view.from + n,
			to: y.view.to + n
		});
	}
	function Ce(e) {
		let t = y;
		if (y = null, !t || t.moved || R(ie) && we(e)) return;
		let n = fF(R(l).slice(R(C), R(w)), _e(e), (R(d).to - R(d).from) / (R(s) - 96) * 12);
		n && ((e) => {
			var t = v(e, 2);
			M(f, t[0]), M(te, t[1]);
		})([n, []]);
	}
	function we(e) {
		let t = R(b)[Math.floor((e.clientY - R(o).getBoundingClientRect().top - 46) / 30)];
		if (!t) return !1;
		let [n, r] = [_e(e), (R(d).to - R(d).from) / (R(s) - 96) * 8], i = sF(t.times, n), a = [i - 1, i].filter((e) => Math.abs((t.times[e] ?? Infinity) - n) <= r);
		return a.sort((e, r) => Math.abs(t.times[e] - n) - Math.abs(t.times[r] - n)), a.length && re.toggle(t.events[a[0]]), a.length > 0;
	}
	function Te(e) {
		let t = {
			ArrowLeft: () => ve(-.15),
			ArrowRight: () => ve(.15),
			"+": () => ye(1 / 1.4),
			"=": () => ye(1 / 1.4),
			"-": () => ye(1.4),
			Home: () => le(null),
			Escape: () => M(f, null)
		}[e.key];
		t && (e.preventDefault(), t());
	}
	var Ee = _F();
	let De;
	var T = N(Ee), Oe = N(T), ke = N(Oe), Ae = F(ke, !0), je = I(ke, 2), Me = N(je), Ne = F(Me, !0);
	Me.value = Me.__value = "hour";
	var Pe = I(Me), Fe = F(Pe, !0);
	Pe.value = Pe.__value = "sixHours";
	var Ie = I(Pe), Le = F(Ie, !0);
	Ie.value = Ie.__value = "day";
	var Re = I(Ie), ze = F(Re, !0);
	Re.value = Re.__value = "all", E(je), Qi(je);
	var Be = I(je, 2), Ve = I(Be, 2), He = I(Ve, 2), Ue = I(He, 2), We = I(Ue, 2), Ge = F(We, !0), Ke = I(We, 2), qe = F(Ke, !0);
	E(Oe);
	var Je = I(Oe, 2), Ye = (e) => {
		var t = pF(), n = F(t, !0);
		L(() => H(n, R(h))), V(e, t);
	};
	U(Je, (e) => {
		R(h) && e(Ye);
	});
	var Xe = I(Je, 2), Ze = N(Xe), Qe = N(Ze);
	let $e;
	Oa(Qe, (e) => M(o, e), () => R(o)), E(Ze), E(Xe);
	var et = I(Xe, 2), tt = N(et), nt = (e) => {
		var t = ii();
		L(() => H(t, K.loading)), V(e, t);
	}, rt = (e) => {
		var t = ii();
		L(() => H(t, n.none)), V(e, t);
	}, it = (e) => {
		var t = ii();
		L((e, n) => H(t, `${e ?? ""}. ${n ?? ""}`), [() => n.lanes(R(c).length, R(l).length), () => R(m) ? n.cut(i) : ""]), V(e, t);
	};
	U(tt, (e) => {
		R(p) ? e(nt) : R(c).length ? e(it, -1) : e(rt, 1);
	}), E(et);
	var at = I(et, 2), ot = F(at, !0), st = I(at, 2), ct = N(st), lt = F(ct), ut = I(ct, 2), dt = (e) => {
		var t = hF();
		Ei(t, 21, () => R(l).slice(Math.max(R(C), R(w) - 200), R(w)).reverse(), (e) => e.number, (e, t) => {
			var n = mF(), r = N(n), i = N(r), a = I(i), o = F(a, !0), s = I(a);
			E(r), E(n), L((e) => {
				H(i, `${e ?? ""} `), H(o, R(t).rule), H(s, ` ${R(t).notification ?? "" ?? ""}`);
			}, [() => so.time(R(t).time, !0)]), z("click", r, () => de(R(t))), V(e, n);
		}), E(t), V(e, t);
	};
	U(ut, (e) => {
		R(ee) && e(dt);
	}), E(st), E(T);
	var ft = I(T, 2), pt = (e) => {
		var t = gF(), n = N(t), r = (e) => {
			WP(e, {
				get marks() {
					return re;
				},
				get inView() {
					return R(ae);
				}
			});
		};
		U(n, (e) => {
			R(ie) && e(r);
		});
		var i = I(n, 2), a = (e) => {
			iF(e, {
				get detection() {
					return R(f);
				},
				onclose: () => M(f, null),
				onmade: (e) => M(te, e)
			});
		};
		U(i, (e) => {
			R(f) && e(a);
		}), E(t), V(e, t);
	};
	U(ft, (e) => {
		(R(ie) || R(f)) && e(pt);
	}), E(Ee), L((e, t) => {
		De = Gi(Ee, 1, "timeline svelte-k2vxlv", null, De, { asks: R(f) !== null || R(ie) }), H(Ae, n.title), W(je, "aria-label", n.stretch), H(Ne, n.hour), H(Fe, n.sixHours), H(Le, n.day), H(ze, n.all), W(Be, "aria-label", n.earlier), W(Ve, "aria-label", n.later), W(He, "aria-label", n.zoomIn), W(Ue, "aria-label", n.zoomOut), W(We, "aria-pressed", R(g)), H(Ge, n.follow), W(Ke, "aria-pressed", R(ie)), H(qe, K.examples.mark), W(Ze, "aria-label", `${n.title ?? ""}: ${e ?? ""}`), W(Ze, "data-from", R(d).from), W(Ze, "data-to", R(d).to), $e = qi(Qe, "", $e, { height: `${R(x) ?? ""}px` }), H(ot, n.hint), H(lt, `${n.list ?? ""} (${t ?? ""})`);
	}, [() => n.lanes(R(c).length, R(l).length), () => (R(w) - R(C)).toLocaleString("en-US")]), $i(je, () => R(u), (e) => M(u, e)), z("click", Be, () => ve(-.4)), z("click", Ve, () => ve(.4)), z("click", He, () => ye(1 / 1.6)), z("click", Ue, () => ye(1.6)), z("click", We, () => M(g, !R(g))), z("click", Ke, () => M(ie, !R(ie))), qr("wheel", Ze, be), z("pointerdown", Ze, xe), z("pointermove", Ze, Se), z("pointerup", Ze, Ce), z("keydown", Ze, Te), Ea(Xe, "clientWidth", (e) => M(s, e)), ka("open", "toggle", st, (e) => M(ee, e), () => R(ee)), V(e, Ee), O();
}
Jr([
	"click",
	"pointerdown",
	"pointermove",
	"pointerup",
	"keydown"
]);
// notebook/main.ts
var bF = {
	timeline: yF,
	graph: OP,
	compose: cP
}, xF = ":host { display: block; color: var(--text); font: 15px/1.5 var(--font); }\n.app { background: var(--ground); padding: 0.5rem; border-radius: 12px; }\na[href^='#/'] { display: none; }", SF = class extends Ha {
	model;
	waiting = /* @__PURE__ */ new Map();
	asked = 0;
	constructor(e) {
		super(""), this.model = e, e.on("msg:custom", (e) => {
			this.waiting.get(e.id)?.(e), this.waiting.delete(e.id);
		});
	}
	get(e, t = {}) {
		return this.ask("GET", e, t);
	}
	post(e, t, n) {
		return this.ask("POST", e, t, n);
	}
	put(e, t) {
		return this.ask("PUT", e, t);
	}
	follow(e, t, n, r) {
		return this.ask("POST", e, t, r);
	}
	ask(e, t, n, r) {
		let i = ++this.asked;
		return new Promise((a, o) => {
			this.waiting.set(i, (e) => {
				r?.aborted ? o(new DOMException("", "AbortError")) : e.faults ? o(new Va(422, e.faults)) : a(e.answer);
			}), this.model.send({
				id: i,
				method: e,
				path: t,
				given: n
			});
		});
	}
};
function CF() {
	return lo.replaceAll(/:root:not\(([^)]*\])\)/g, ":host(:not($1))").replaceAll(/:root(\[[^\]]*\])/g, ":host($1)").replaceAll(":root", ":host");
}
function wF({ model: e, el: t }) {
	let n = t.attachShadow({ mode: "open" }), r = document.createElement("style");
	r.textContent = CF() + ".svelte-flow{--xy-edge-stroke-default:#b1b1b7;--xy-edge-stroke-width-default:1;--xy-edge-stroke-selected-default:#555;--xy-connectionline-stroke-default:#b1b1b7;--xy-connectionline-stroke-width-default:1;--xy-attribution-background-color-default:#ffffff80;--xy-minimap-background-color-default:#fff;--xy-minimap-mask-background-color-default:#f0f0f099;--xy-minimap-mask-stroke-color-default:transparent;--xy-minimap-mask-stroke-width-default:1;--xy-minimap-node-background-color-default:#e2e2e2;--xy-minimap-node-stroke-color-default:transparent;--xy-minimap-node-stroke-width-default:2;--xy-background-color-default:transparent;--xy-background-pattern-dots-color-default:#91919a;--xy-background-pattern-lines-color-default:#eee;--xy-background-pattern-cross-color-default:#e2e2e2;background-color:var(--xy-background-color,var(--xy-background-color-default));--xy-node-color-default:inherit;--xy-node-border-default:1px solid #1a192b;--xy-node-background-color-default:#fff;--xy-node-group-background-color-default:#f0f0f040;--xy-node-boxshadow-hover-default:0 1px 4px 1px #00000014;--xy-node-boxshadow-selected-default:0 0 0 .5px #1a192b;--xy-node-border-radius-default:3px;--xy-handle-background-color-default:#1a192b;--xy-handle-border-color-default:#fff;--xy-selection-background-color-default:#0059dc14;--xy-selection-border-default:1px dotted #0059dccc;--xy-controls-button-background-color-default:#fefefe;--xy-controls-button-background-color-hover-default:#f4f4f4;--xy-controls-button-color-default:inherit;--xy-controls-button-color-hover-default:inherit;--xy-controls-button-border-color-default:#eee;--xy-controls-box-shadow-default:0 0 2px 1px #00000014;--xy-edge-label-background-color-default:#fff;--xy-edge-label-color-default:inherit;--xy-resize-background-color-default:#3367d9;direction:ltr}.svelte-flow.dark{--xy-edge-stroke-default:#3e3e3e;--xy-edge-stroke-width-default:1;--xy-edge-stroke-selected-default:#727272;--xy-connectionline-stroke-default:#b1b1b7;--xy-connectionline-stroke-width-default:1;--xy-attribution-background-color-default:#96969640;--xy-minimap-background-color-default:#141414;--xy-minimap-mask-background-color-default:#3c3c3c99;--xy-minimap-mask-stroke-color-default:transparent;--xy-minimap-mask-stroke-width-default:1;--xy-minimap-node-background-color-default:#2b2b2b;--xy-minimap-node-stroke-color-default:transparent;--xy-minimap-node-stroke-width-default:2;--xy-background-color-default:#141414;--xy-background-pattern-dots-color-default:#555;--xy-background-pattern-lines-color-default:#333;--xy-background-pattern-cross-color-default:#333;--xy-node-color-default:#f8f8f8;--xy-node-border-default:1px solid #3c3c3c;--xy-node-background-color-default:#1e1e1e;--xy-node-group-background-color-default:#f0f0f040;--xy-node-boxshadow-hover-default:0 1px 4px 1px #ffffff14;--xy-node-boxshadow-selected-default:0 0 0 .5px #999;--xy-handle-background-color-default:#bebebe;--xy-handle-border-color-default:#1e1e1e;--xy-selection-background-color-default:#c8c8dc14;--xy-selection-border-default:1px dotted #c8c8dccc;--xy-controls-button-background-color-default:#2b2b2b;--xy-controls-button-background-color-hover-default:#3e3e3e;--xy-controls-button-color-default:#f8f8f8;--xy-controls-button-color-hover-default:#fff;--xy-controls-button-border-color-default:#5b5b5b;--xy-controls-box-shadow-default:0 0 2px 1px #00000014;--xy-edge-label-background-color-default:#141414;--xy-edge-label-color-default:#f8f8f8}.svelte-flow__background{background-color:var(--xy-background-color-props,var(--xy-background-color,var(--xy-background-color-default)));pointer-events:none;z-index:-1}.svelte-flow__container{width:100%;height:100%;position:absolute;top:0;left:0}.svelte-flow__pane{z-index:1;touch-action:none}.svelte-flow__pane.draggable{cursor:grab}.svelte-flow__pane.dragging{cursor:grabbing}.svelte-flow__pane.selection{cursor:pointer}.svelte-flow__viewport{transform-origin:0 0;z-index:2;pointer-events:none}.svelte-flow__renderer{z-index:4}.svelte-flow__selection{z-index:6}.svelte-flow__nodesselection-rect:focus,.svelte-flow__nodesselection-rect:focus-visible{outline:none}.svelte-flow__edge-path{stroke:var(--xy-edge-stroke,var(--xy-edge-stroke-default));stroke-width:var(--xy-edge-stroke-width,var(--xy-edge-stroke-width-default));fill:none}.svelte-flow__connection-path{stroke:var(--xy-connectionline-stroke,var(--xy-connectionline-stroke-default));stroke-width:var(--xy-connectionline-stroke-width,var(--xy-connectionline-stroke-width-default));fill:none}.svelte-flow .svelte-flow__edges{position:absolute}.svelte-flow .svelte-flow__edges svg{pointer-events:none;position:absolute;overflow:visible}.svelte-flow__edge{pointer-events:visibleStroke}.svelte-flow__edge.selectable{cursor:pointer}.svelte-flow__edge.animated path{stroke-dasharray:5;animation:.5s linear infinite dashdraw}.svelte-flow__edge.animated path.svelte-flow__edge-interaction{stroke-dasharray:none;animation:none}.svelte-flow__edge.inactive{pointer-events:none}.svelte-flow__edge.selected,.svelte-flow__edge:focus,.svelte-flow__edge:focus-visible{outline:none}.svelte-flow__edge.selected .svelte-flow__edge-path,.svelte-flow__edge.selectable:focus .svelte-flow__edge-path,.svelte-flow__edge.selectable:focus-visible .svelte-flow__edge-path{stroke:var(--xy-edge-stroke-selected,var(--xy-edge-stroke-selected-default))}.svelte-flow__edge-textwrapper{pointer-events:all}.svelte-flow__edge .svelte-flow__edge-text{pointer-events:none;-webkit-user-select:none;user-select:none}.svelte-flow__arrowhead polyline{stroke:var(--xy-edge-stroke,var(--xy-edge-stroke-default))}.svelte-flow__arrowhead polyline.arrowclosed{fill:var(--xy-edge-stroke,var(--xy-edge-stroke-default))}.svelte-flow__connection{pointer-events:none}.svelte-flow__connection .animated{stroke-dasharray:5;animation:.5s linear infinite dashdraw}svg.svelte-flow__connectionline{z-index:1001;position:absolute;overflow:visible}.svelte-flow__nodes{pointer-events:none;transform-origin:0 0}.svelte-flow__node{-webkit-user-select:none;user-select:none;pointer-events:all;transform-origin:0 0;box-sizing:border-box;cursor:default;position:absolute}.svelte-flow__node.selectable{cursor:pointer}.svelte-flow__node.draggable{cursor:grab;pointer-events:all}.svelte-flow__node.draggable.dragging{cursor:grabbing}.svelte-flow__nodesselection{z-index:3;transform-origin:0 0;pointer-events:none}.svelte-flow__nodesselection-rect{pointer-events:all;cursor:grab;position:absolute}.svelte-flow__handle{pointer-events:none;background-color:var(--xy-handle-background-color,var(--xy-handle-background-color-default));border:1px solid var(--xy-handle-border-color,var(--xy-handle-border-color-default));border-radius:100%;width:6px;min-width:5px;height:6px;min-height:5px;position:absolute}.svelte-flow__handle.connectingfrom{pointer-events:all}.svelte-flow__handle.connectionindicator{pointer-events:all;cursor:crosshair}.svelte-flow__handle-bottom{top:auto;bottom:0;left:50%;transform:translate(-50%,50%)}.svelte-flow__handle-top{top:0;left:50%;transform:translate(-50%,-50%)}.svelte-flow__handle-left{top:50%;left:0;transform:translate(-50%,-50%)}.svelte-flow__handle-right{top:50%;right:0;transform:translate(50%,-50%)}.svelte-flow__edgeupdater{cursor:move;pointer-events:all}.svelte-flow__pane.selection .svelte-flow__panel{pointer-events:none}.svelte-flow__panel{z-index:5;margin:15px;position:absolute}.svelte-flow__panel.top{top:0}.svelte-flow__panel.bottom{bottom:0}.svelte-flow__panel.top.center,.svelte-flow__panel.bottom.center{left:50%;transform:translate(-15px)translate(-50%)}.svelte-flow__panel.left{left:0}.svelte-flow__panel.right{right:0}.svelte-flow__panel.left.center,.svelte-flow__panel.right.center{top:50%;transform:translateY(-15px)translateY(-50%)}.svelte-flow__attribution{background:var(--xy-attribution-background-color,var(--xy-attribution-background-color-default));margin:0;padding:2px 3px;font-size:10px}.svelte-flow__attribution a{color:#999;text-decoration:none}@keyframes dashdraw{0%{stroke-dashoffset:10px}}.svelte-flow__edgelabel-renderer{pointer-events:none;-webkit-user-select:none;user-select:none;width:100%;height:100%;position:absolute;top:0;left:0}.svelte-flow__viewport-portal{-webkit-user-select:none;user-select:none;width:100%;height:100%;position:absolute;top:0;left:0}.svelte-flow__minimap{background:var(--xy-minimap-background-color-props,var(--xy-minimap-background-color,var(--xy-minimap-background-color-default)))}.svelte-flow__minimap-svg{display:block}.svelte-flow__minimap-mask{fill:var(--xy-minimap-mask-background-color-props,var(--xy-minimap-mask-background-color,var(--xy-minimap-mask-background-color-default)));stroke:var(--xy-minimap-mask-stroke-color-props,var(--xy-minimap-mask-stroke-color,var(--xy-minimap-mask-stroke-color-default)));stroke-width:var(--xy-minimap-mask-stroke-width-props,var(--xy-minimap-mask-stroke-width,var(--xy-minimap-mask-stroke-width-default)))}.svelte-flow__minimap-node{fill:var(--xy-minimap-node-background-color-props,var(--xy-minimap-node-background-color,var(--xy-minimap-node-background-color-default)));stroke:var(--xy-minimap-node-stroke-color-props,var(--xy-minimap-node-stroke-color,var(--xy-minimap-node-stroke-color-default)));stroke-width:var(--xy-minimap-node-stroke-width-props,var(--xy-minimap-node-stroke-width,var(--xy-minimap-node-stroke-width-default)))}.svelte-flow__background-pattern.dots{fill:var(--xy-background-pattern-color-props,var(--xy-background-pattern-color,var(--xy-background-pattern-dots-color-default)))}.svelte-flow__background-pattern.lines{stroke:var(--xy-background-pattern-color-props,var(--xy-background-pattern-color,var(--xy-background-pattern-lines-color-default)))}.svelte-flow__background-pattern.cross{stroke:var(--xy-background-pattern-color-props,var(--xy-background-pattern-color,var(--xy-background-pattern-cross-color-default)))}.svelte-flow__controls{box-shadow:var(--xy-controls-box-shadow,var(--xy-controls-box-shadow-default));flex-direction:column;display:flex}.svelte-flow__controls.horizontal{flex-direction:row}.svelte-flow__controls-button{background:var(--xy-controls-button-background-color,var(--xy-controls-button-background-color-default));border:none;border-bottom:1px solid var(--xy-controls-button-border-color-props,var(--xy-controls-button-border-color,var(--xy-controls-button-border-color-default)));width:26px;height:26px;color:var(--xy-controls-button-color-props,var(--xy-controls-button-color,var(--xy-controls-button-color-default)));cursor:pointer;-webkit-user-select:none;user-select:none;justify-content:center;align-items:center;padding:4px;display:flex}.svelte-flow__controls-button svg{fill:currentColor;width:100%;max-width:12px;max-height:12px}.svelte-flow__edge.updating .svelte-flow__edge-path{stroke:#777}.svelte-flow__edge-text{font-size:10px}.svelte-flow__node.selectable:focus,.svelte-flow__node.selectable:focus-visible{outline:none}.svelte-flow__node-input,.svelte-flow__node-default,.svelte-flow__node-output,.svelte-flow__node-group{border-radius:var(--xy-node-border-radius,var(--xy-node-border-radius-default));width:150px;color:var(--xy-node-color,var(--xy-node-color-default));text-align:center;border:var(--xy-node-border,var(--xy-node-border-default));background-color:var(--xy-node-background-color,var(--xy-node-background-color-default));padding:10px;font-size:12px}.svelte-flow__node-input.selectable:hover,.svelte-flow__node-default.selectable:hover,.svelte-flow__node-output.selectable:hover,.svelte-flow__node-group.selectable:hover{box-shadow:var(--xy-node-boxshadow-hover,var(--xy-node-boxshadow-hover-default))}.svelte-flow__node-input.selectable.selected,.svelte-flow__node-input.selectable:focus,.svelte-flow__node-input.selectable:focus-visible,.svelte-flow__node-default.selectable.selected,.svelte-flow__node-default.selectable:focus,.svelte-flow__node-default.selectable:focus-visible,.svelte-flow__node-output.selectable.selected,.svelte-flow__node-output.selectable:focus,.svelte-flow__node-output.selectable:focus-visible,.svelte-flow__node-group.selectable.selected,.svelte-flow__node-group.selectable:focus,.svelte-flow__node-group.selectable:focus-visible{box-shadow:var(--xy-node-boxshadow-selected,var(--xy-node-boxshadow-selected-default))}.svelte-flow__node-group{background-color:var(--xy-node-group-background-color,var(--xy-node-group-background-color-default))}.svelte-flow__nodesselection-rect,.svelte-flow__selection{background:var(--xy-selection-background-color,var(--xy-selection-background-color-default));border:var(--xy-selection-border,var(--xy-selection-border-default))}.svelte-flow__nodesselection-rect:focus,.svelte-flow__nodesselection-rect:focus-visible,.svelte-flow__selection:focus,.svelte-flow__selection:focus-visible{outline:none}.svelte-flow__controls-button:hover{background:var(--xy-controls-button-background-color-hover-props,var(--xy-controls-button-background-color-hover,var(--xy-controls-button-background-color-hover-default)));color:var(--xy-controls-button-color-hover-props,var(--xy-controls-button-color-hover,var(--xy-controls-button-color-hover-default)))}.svelte-flow__controls-button:disabled{pointer-events:none}.svelte-flow__controls-button:disabled svg{fill-opacity:.4}.svelte-flow__controls-button:last-child{border-bottom:none}.svelte-flow__controls.horizontal .svelte-flow__controls-button{border-bottom:none;border-right:1px solid var(--xy-controls-button-border-color-props,var(--xy-controls-button-border-color,var(--xy-controls-button-border-color-default)))}.svelte-flow__controls.horizontal .svelte-flow__controls-button:last-child{border-right:none}.svelte-flow__resize-control{position:absolute}.svelte-flow__resize-control.left,.svelte-flow__resize-control.right{cursor:ew-resize}.svelte-flow__resize-control.top,.svelte-flow__resize-control.bottom{cursor:ns-resize}.svelte-flow__resize-control.top.left,.svelte-flow__resize-control.bottom.right{cursor:nwse-resize}.svelte-flow__resize-control.bottom.left,.svelte-flow__resize-control.top.right{cursor:nesw-resize}.svelte-flow__resize-control.handle{background-color:var(--xy-resize-background-color,var(--xy-resize-background-color-default));border:1px solid #fff;border-radius:1px;width:5px;height:5px;translate:-50% -50%}.svelte-flow__resize-control.handle.left{top:50%;left:0}.svelte-flow__resize-control.handle.right{top:50%;left:100%}.svelte-flow__resize-control.handle.top{top:0;left:50%}.svelte-flow__resize-control.handle.bottom{top:100%;left:50%}.svelte-flow__resize-control.handle.top.left,.svelte-flow__resize-control.handle.bottom.left{left:0}.svelte-flow__resize-control.handle.top.right,.svelte-flow__resize-control.handle.bottom.right{left:100%}.svelte-flow__resize-control.line{border-color:var(--xy-resize-background-color,var(--xy-resize-background-color-default));border-style:solid;border-width:0}.svelte-flow__resize-control.line.left,.svelte-flow__resize-control.line.right{width:1px;height:100%;top:0;transform:translate(-50%)}.svelte-flow__resize-control.line.left{border-left-width:1px;left:0}.svelte-flow__resize-control.line.right{border-right-width:1px;left:100%}.svelte-flow__resize-control.line.top,.svelte-flow__resize-control.line.bottom{width:100%;height:1px;left:0;transform:translateY(-50%)}.svelte-flow__resize-control.line.top{border-top-width:1px;top:0}.svelte-flow__resize-control.line.bottom{border-bottom-width:1px;top:100%}.svelte-flow__edge-label{text-align:center;color:var(--xy-edge-label-color,var(--xy-edge-label-color-default));background:var(--xy-edge-label-background-color,var(--xy-edge-label-background-color-default));padding:2px;font-size:10px;position:absolute}.svelte-flow__container{-webkit-user-select:none;user-select:none}" + xF;
	let i = document.createElement("div");
	i.className = "app", n.append(r, i), oo.api = new SF(e), oo.isOperator = !0, co.view = String(e.get("view"));
	let a = e.get("rule");
	co.query = new URLSearchParams(co.view === "compose" ? { rule: Ga(JSON.stringify(a)) } : {});
	let o = ui(bF[co.view], { target: i });
	return () => void mi(o);
}
var TF = { render: wF };
export { TF as default };
